# class: simulation; possible: low medium; style: perl, generations, two children by pipes
use strict;
use warnings;
my $w = 96;
my @grid = map { [map { rand() < 0.3 ? 1 : 0 } 1 .. $w] } 1 .. $w;
for my $generation (1 .. 25) {
    my @readers;
    for my $half (0, 1) {
        pipe my $r, my $wr or die;
        my $pid = fork() // die;
        if (!$pid) {
            close $r;
            for my $y ($half * $w / 2 .. ($half + 1) * $w / 2 - 1) {
                my @row;
                for my $x (0 .. $w - 1) {
                    my $n = -$grid[$y][$x];
                    for my $dy (-1 .. 1) { $n += $grid[($y + $dy) % $w][($x + $_) % $w] for -1 .. 1 }
                    push @row, ($n == 3 || $n == 2 && $grid[$y][$x]) ? 1 : 0;
                }
                print $wr join('', @row), "\n";
            }
            exit 0;
        }
        close $wr;
        push @readers, [$r, $pid];
    }
    my @next;
    for (@readers) {
        my ($r, $pid) = @$_;
        while (<$r>) { chomp; push @next, [split //] }
        waitpid $pid, 0;
    }
    @grid = @next;
}
my $alive = 0;
$alive += $_ for map { @$_ } @grid;
print "alive $alive\n";
