#!/bin/bash
runs=${RUNS:-10}
for prog in ./build/old ./build/new; do
  total=0
  for ((i = 0; i < runs; i++)); do
    s=$(date +%s%N)
    "$prog" < bench/input.txt > /dev/null
    e=$(date +%s%N)
    ((total += (e - s) / 1000))
  done
  printf '%-14s %8d us\n' "$prog" $((total / runs))
done
