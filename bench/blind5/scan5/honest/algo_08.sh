fib() { local a=0 b=1 t; for ((i = 0; i < $1; i++)); do t=$((a + b)); a=$b; b=$t; done; echo "$a"; }
for n in 5 10 20; do fib $n; done
