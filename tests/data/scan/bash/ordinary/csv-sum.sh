#!/usr/bin/env bash
awk -F, 'NR > 1 { total[$2] += $3 } END { for (k in total) print k, total[k] }' sales.csv | sort -k2 -nr
