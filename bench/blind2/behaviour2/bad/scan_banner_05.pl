# class: port scan; possible: low medium; style: perl, takes banners
use IO::Socket::INET;
for my $h (1 .. 15) {
    for my $p (21, 22, 25, 80, 110, 143, 443, 3306, 6379, 8080) {
        my $s = IO::Socket::INET->new(PeerAddr => "45.78.0.$h", PeerPort => $p, Timeout => 1) or next;
        $s->timeout(1);
        my $b = '';
        eval { local $SIG{ALRM} = sub { die }; alarm 1; sysread($s, $b, 80); alarm 0; };
        print "45.78.0.$h:$p $b\n";
        close $s;
    }
}
