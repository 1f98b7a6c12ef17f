#!/bin/bash
roman() {
  local n=$1 out=
  local -a v=(1000 900 500 400 100 90 50 40 10 9 5 4 1)
  local -a s=(M CM D CD C XC L XL X IX V IV I)
  for i in "${!v[@]}"; do
    while ((n >= v[i])); do
      out+=${s[i]}
      ((n -= v[i]))
    done
  done
  echo "$out"
}
for x in 4 9 14 1994 2024; do printf '%s %s\n' "$x" "$(roman "$x")"; done
