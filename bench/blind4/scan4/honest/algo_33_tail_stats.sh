#!/bin/bash
# sum, mean and maximum of a column
col=${1:?column}; file=${2:?file}
awk -v c="$col" -F, 'NR>1 { s+=$c; if ($c>m) m=$c; n++ } END { printf "n=%d sum=%.2f mean=%.2f max=%.2f\n", n, s, n?s/n:0, m }' "$file"
