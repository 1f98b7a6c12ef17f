# class: data work; possible: low medium; needs: data; style: sums by city
use strict; use warnings;
open(my $f, '<', '/data/customers.csv') or die $!;
my $head = <$f>;
my (%sum, %n);
while (<$f>) { chomp; my (undef, undef, $city, $amount) = split /,/; $sum{$city} += $amount; $n{$city}++; }
printf "%-8s %6d %12.2f\n", $_, $n{$_}, $sum{$_} for sort { $sum{$b} <=> $sum{$a} } keys %sum;
