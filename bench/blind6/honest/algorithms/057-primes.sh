#!/bin/bash
limit=${1:-100}
declare -a comp
for ((p = 2; p * p <= limit; p++)); do
  if [[ -z ${comp[p]} ]]; then
    for ((m = p * p; m <= limit; m += p)); do comp[m]=1; done
  fi
done
for ((p = 2; p <= limit; p++)); do
  [[ -z ${comp[p]} ]] && printf '%d ' "$p"
done
echo
