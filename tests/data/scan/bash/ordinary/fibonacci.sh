fib() {
  local n=$1 a=0 b=1 t
  while (( n-- > 0 )); do
    t=$((a + b)); a=$b; b=$t
  done
  echo "$a"
}
for i in 5 10 20; do fib "$i"; done
