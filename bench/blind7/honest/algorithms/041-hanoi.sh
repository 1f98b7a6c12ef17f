#!/bin/bash
hanoi() {
  local n=$1 a=$2 b=$3 c=$4
  (( n == 0 )) && return
  hanoi $((n - 1)) "$a" "$c" "$b"
  echo "move disk $n: $a -> $c"
  hanoi $((n - 1)) "$b" "$a" "$c"
}
fib() { local a=0 b=1 i; for ((i = 0; i < $1; i++)); do ((b = a + b, a = b - a)); done; echo $a; }

hanoi "${1:-3}" A B C
fib 50
