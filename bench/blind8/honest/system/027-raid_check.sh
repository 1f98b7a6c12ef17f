#!/bin/bash
out=$(mktemp); trap 'rm -f $out' EXIT
bad=0
if grep -q '_' <(grep -oE '\[[U_]+\]' /proc/mdstat); then bad=1; cat /proc/mdstat >> "$out"; fi
for d in $(smartctl --scan | awk '{print $1}'); do
  if ! smartctl -H -q silent "$d"; then
    bad=1
    { echo "== $d"; smartctl -A -H "$d"; } >> "$out"
  fi
done
if [ $bad = 1 ]; then
  mail -s "disk trouble on $(hostname -f)" root < "$out"
fi
exit $bad
