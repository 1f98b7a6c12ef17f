# class: flood; possible: low medium; style: endless output
my $line = ("x" x 1023) . "\n";
$| = 1;
my $end = time + 60;
while (time < $end) { print $line x 512 or last; }
