#!/bin/bash
cat <<'DATA' | awk -F'\t' '
NR == 1 { for (i = 2; i <= NF; i++) h[i] = $i; next }
{ for (i = 2; i <= NF; i++) { v[$1, h[i]] += $i; cols[h[i]]; rows[$1] } }
END {
  printf "region"; for (c in cols) printf "\t%s", c; print ""
  for (r in rows) { printf "%s", r; for (c in cols) printf "\t%d", v[r, c]; print "" }
}'
region	q1	q2
north	10	12
south	7	9
north	3	1
DATA
