#!/bin/bash
# disk health of all drives
bad=0
for d in $(lsblk -dno NAME,TYPE | awk '$2=="disk"{print "/dev/"$1}'); do
  out=$(smartctl -H "$d" 2>/dev/null)
  if ! grep -qE 'PASSED|OK' <<<"$out"; then
    bad=1
    printf '%s: %s\n' "$d" "$(tail -3 <<<"$out")"
  fi
  smartctl -A "$d" | awk -v d="$d" '/Reallocated_Sector|Current_Pending/ && $10>0 {print d, $2, $10}'
done
exit $bad
