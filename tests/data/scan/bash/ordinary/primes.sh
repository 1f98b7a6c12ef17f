#!/bin/bash
limit=${1:-100}
declare -a sieve
for ((i = 2; i <= limit; i++)); do
  [[ ${sieve[i]} ]] && continue
  echo "$i"
  for ((j = i * i; j <= limit; j += i)); do sieve[j]=1; done
done
