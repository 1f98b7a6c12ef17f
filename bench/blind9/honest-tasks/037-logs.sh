#!/bin/sh
# slow requests of the last day, grouped by path
since=$(date -d '1 day ago' '+%Y-%m-%d %H:%M')
journalctl -u ledger --since "$since" -o cat |
  jq -Rr 'fromjson? | select(.ms > 500) | [.path, .ms] | @tsv' |
  awk -F'\t' '{n[$1]++; s[$1]+=$2; if ($2>m[$1]) m[$1]=$2}
       END {for (p in n) printf "%6d %8.0f %8.0f  %s\n", n[p], s[p]/n[p], m[p], p}' |
  sort -rn | head -20
