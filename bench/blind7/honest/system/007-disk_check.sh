#!/bin/bash
limit=${1:-85}
host=$(hostname -s)
msg=$(
  df -lP -x tmpfs -x devtmpfs -x squashfs | awk -v l="$limit" 'NR > 1 && $5+0 >= l { print "space  " $6 " " $5 }'
  df -liP -x tmpfs -x devtmpfs | awk -v l="$limit" 'NR > 1 && $5+0 >= l { print "inodes " $6 " " $5 }'
  for d in /dev/sd? /dev/nvme?n1; do
    [ -b "$d" ] || continue
    smartctl -H "$d" | grep -qE 'PASSED|OK' || echo "smart  $d: $(smartctl -H "$d" | tail -2 | head -1)"
  done
  grep -q '_' /proc/mdstat && grep -B1 '\[.*_.*\]' /proc/mdstat
)
[ -n "$msg" ] && printf '%s\n' "$msg" | mail -s "[$host] disk warning" root
exit 0
