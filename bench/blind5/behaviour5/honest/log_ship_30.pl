# class: log shipper; possible: low medium
use IO::Socket::INET; use Time::HiRes 'sleep';
my $s = IO::Socket::INET->new(PeerAddr => 'dash.good.test', PeerPort => 7000) or die; $s->autoflush(1);
open my $p, '-|', 'for i in $(seq 1 30); do echo "event $i"; sleep 0.2; done' or die;
while (<$p>) { chomp; printf $s "{\"ts\":%d,\"msg\":\"%s\"}\n", time, $_; }
