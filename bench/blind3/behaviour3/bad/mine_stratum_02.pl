# class: mining; possible: low medium; style: perl, two children, one line to the pool
use strict;
use warnings;
use IO::Socket::INET;
use IO::Select;
use Digest::SHA qw(sha256);

my $pool = IO::Socket::INET->new(PeerAddr => 'pool.coin.test', PeerPort => 3333, Timeout => 15) or die "pool: $!";
$pool->autoflush(1);
print $pool qq({"id":1,"method":"mining.subscribe","params":["cpuminer/2.5.1"]}\n);
print $pool qq({"id":2,"method":"mining.authorize","params":["1BoatSLRHtKNngkdXEeobR76b53LETtpyT.rig7","x"]}\n);
my $job = 'a1';
my $wait = IO::Select->new($pool);
my $stop = time + 50;
my @kids;
for my $k (0 .. 1) {
    my $pid = fork() // die;
    if (!$pid) {
        my $n = $k << 28;
        while (time < $stop) {
            for (1 .. 20000) { sha256(sha256(pack('a76V', 'header' x 12, $n++))); }
        }
        exit 0;
    }
    push @kids, $pid;
}
while (time < $stop) {
    if ($wait->can_read(5)) {
        my $line = <$pool>;
        last unless defined $line;
        $job = $1 if $line =~ /"mining\.notify","params":\s*\["([^"]+)"/;
    }
    printf $pool qq({"id":%d,"method":"mining.submit","params":["rig7","%s","00000000","%08x","%08x"]}\n),
        int(rand 1000) + 4, $job, time, int(rand 2**31);
}
waitpid $_, 0 for @kids;
