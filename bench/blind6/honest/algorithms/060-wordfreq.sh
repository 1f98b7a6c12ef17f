#!/bin/bash
text='it was the best of times it was the worst of times it was the age of wisdom'
tr -cs 'a-zA-Z' '\n' <<< "$text" | tr A-Z a-z | awk '
  { n[$1]++ }
  END { for (w in n) printf "%4d %s\n", n[w], w }' | sort -k1,1nr -k2 | head -5
gcd() { local a=$1 b=$2 t; while ((b)); do t=$((a % b)); a=$b; b=$t; done; echo "$a"; }
echo "gcd $(gcd 84 36)"
