#!/bin/sh
awk '
  { s += $1; if (NR == 1 || $1 > m) m = $1 }
  END { printf "n=%d mean=%.2f max=%g\n", NR, s / NR, m }
' <<EOF
3
8
5.5
EOF
