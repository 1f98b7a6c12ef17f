#!/bin/bash
# weekly disk report
{
  echo "Host: $(hostname -f)   $(date)"
  echo
  cat /proc/mdstat
  for d in /dev/sd[a-z]; do
    [ -b "$d" ] || continue
    echo "== $d"
    smartctl -H -A "$d" | grep -E 'overall|Reallocated|Pending|Offline_Unc|Temperature_Cel|Power_On'
  done
  zpool status -x 2>/dev/null
} | mail -s "disk report $(hostname -s)" storage@bank.example
grep -q '_' <(grep -o '\[[U_]*\]' /proc/mdstat) && logger -p daemon.crit -t raid "array degraded"
exit 0
