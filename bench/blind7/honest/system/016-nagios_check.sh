#!/bin/bash
# check_host -w LOAD -c LOAD -p PROC...
warn=4 crit=8 procs=()
while getopts w:c:p: o; do
  case $o in
    w) warn=$OPTARG ;; c) crit=$OPTARG ;; p) procs+=("$OPTARG") ;;
    *) echo "UNKNOWN - usage"; exit 3 ;;
  esac
done
read -r l1 _ < /proc/loadavg
mem=$(awk '/MemTotal/ {t=$2} /MemAvailable/ {a=$2} END {printf "%d", 100 - a * 100 / t}' /proc/meminfo)
state=0 text=
for p in "${procs[@]}"; do
  n=$(pgrep -xc "$p")
  [ "$n" -gt 0 ] || { state=2; text+="$p not running; "; }
done
if awk "BEGIN {exit !($l1 >= $crit)}"; then state=2
elif awk "BEGIN {exit !($l1 >= $warn)}" && [ $state -lt 1 ]; then state=1; fi
[ "$mem" -ge 95 ] && state=2
names=(OK WARNING CRITICAL)
echo "${names[$state]} - ${text}load $l1, memory $mem% | load=$l1;$warn;$crit mem=$mem%"
exit $state
