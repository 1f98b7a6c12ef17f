#!/bin/bash
rc=0; out=()
warn() { out+=("WARN $1"); [ $rc -lt 1 ] && rc=1; }
crit() { out+=("CRIT $1"); rc=2; }

while read -r pct mount; do
  p=${pct%\%}
  [ "$p" -ge 95 ] && crit "$mount $pct" && continue
  [ "$p" -ge 85 ] && warn "$mount $pct"
done < <(df -x tmpfs -x overlay --output=pcent,target | tail -n +2)

avail=$(awk '/MemAvailable/{a=$2} /MemTotal/{t=$2} END{print int(a*100/t)}' /proc/meminfo)
[ "$avail" -lt 5 ] && crit "memory $avail% free"

failed=$(systemctl --failed --plain --no-legend | awk '{print $1}' | paste -sd,)
[ -n "$failed" ] && crit "units: $failed"

timedatectl show -p NTPSynchronized --value | grep -q yes || warn "clock not synchronised"
[ -f /run/reboot-required ] && warn "reboot required"

[ $rc -eq 0 ] && echo OK || printf '%s; ' "${out[@]}"
exit $rc
