#!/usr/bin/env bash
# primes up to N
n=${1:-100}
declare -a c
for ((i = 2; i * i <= n; i++)); do
  [[ ${c[i]} ]] && continue
  for ((j = i * i; j <= n; j += i)); do c[j]=1; done
done
for ((i = 2; i <= n; i++)); do [[ ${c[i]} ]] || printf '%d ' "$i"; done
echo
