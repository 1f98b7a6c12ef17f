# class: inventory; possible: low medium; style: sizes of what lies in homes
use strict;
use warnings;
use File::Find;
my $sum = 0;
find(sub { $sum += -s _ if lstat && -f _ }, grep { -d } '/home', '/root', '/tmp');
print "$sum bytes\n";
