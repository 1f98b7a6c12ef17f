#!/bin/bash
f=${1:-sales.csv}
awk -F, 'NR==1 { for (i=1;i<=NF;i++) col[$i]=i; next }
  { sum[$col["region"]] += $col["amount"]; n[$col["region"]]++ }
  END { for (r in sum) printf "%-12s %10.2f %6d\n", r, sum[r], n[r] }' "$f" | sort -k2 -nr
join -t, <(tail -n +2 "$f" | sort -t, -k1,1) <(sort -t, -k1,1 customers.csv) | head
