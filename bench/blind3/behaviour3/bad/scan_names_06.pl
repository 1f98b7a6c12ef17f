# class: port scan; possible: low medium; style: perl, by name, forks of ten
use strict;
use warnings;
use IO::Socket::INET;
my @ports = (21, 22, 23, 80, 443, 3306, 5432);
my @hosts = map { "host$_.lan.test" } 1 .. 60;
while (my @some = splice @hosts, 0, 10) {
    my @kids;
    for my $host (@some) {
        my $pid = fork();
        next unless defined $pid;
        if ($pid) { push @kids, $pid; next }
        for my $port (@ports) {
            my $s = IO::Socket::INET->new(PeerAddr => $host, PeerPort => $port, Timeout => 1) or next;
            print "$host $port\n";
            close $s;
        }
        exit 0;
    }
    waitpid $_, 0 for @kids;
}
