# class: process pool; possible: low medium
my %kids; my @todo = 1 .. 40;
while (@todo || %kids) {
    while (@todo && keys %kids < 5) { my $n = shift @todo; my $p = fork // die; if (!$p) { my $x = 0; $x += $_ * $n for 1 .. 200000; exit 0 } $kids{$p} = $n }
    my $d = wait; delete $kids{$d};
}
print "all\n";
