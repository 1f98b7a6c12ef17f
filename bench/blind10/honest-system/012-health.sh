#!/bin/bash
# nagios style check: load, disk, failed units, pending reboot
set -u
rc=0; msg=()
warn() { msg+=("$1"); [ $rc -lt 1 ] && rc=1; }
crit() { msg+=("$1"); rc=2; }

read -r l1 _ < /proc/loadavg
n=$(nproc)
awk -v l="$l1" -v n="$n" 'BEGIN{exit !(l > 2*n)}' && warn "load $l1"

while read -r use mnt; do
  p=${use%\%}
  if (( p >= 95 )); then crit "$mnt $use"; elif (( p >= 85 )); then warn "$mnt $use"; fi
done < <(df -x tmpfs -x devtmpfs -x overlay --output=pcent,target | tail -n +2)

f=$(systemctl list-units --failed --no-legend --plain | awk '{print $1}' | paste -sd,)
[ -n "$f" ] && crit "failed: $f"
[ -f /var/run/reboot-required ] && warn "reboot required"

case $rc in 0) echo "OK" ;; 1) echo "WARNING ${msg[*]}" ;; 2) echo "CRITICAL ${msg[*]}" ;; esac
exit $rc
