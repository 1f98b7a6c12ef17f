python3 - <<'EOF'
def collatz(n):
    k = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        k += 1
    return k
print(max(range(1, 20000), key=collatz))
EOF
perl -e 'my %h; $h{length $_}++ for qw(one two three four five); print "$_ $h{$_}\n" for sort keys %h'
ruby -e 'puts (1..15).map { |i| i % 15 == 0 ? "FizzBuzz" : i % 3 == 0 ? "Fizz" : i % 5 == 0 ? "Buzz" : i }.join(" ")'
