# class: data work; possible: low medium; needs: data; style: perl
use strict;
use warnings;
open my $f, '<', '/data/customers.csv' or die $!;
my %n;
while (<$f>) { my @w = split /,/; $n{$w[2]}++ }
print "$_ $n{$_}\n" for sort keys %n;
