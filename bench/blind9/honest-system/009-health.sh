#!/usr/bin/env bash
# health.sh: exit code 0 ok, 1 warning, 2 critical (nagios style)
state=0
say() { local lvl=$1; shift; echo "$*"; (( lvl > state )) && state=$lvl; }

for s in nginx postgresql ssh; do
  systemctl is-active --quiet "$s" || say 2 "CRITICAL: $s is not active"
done

while read -r pct mnt; do
  p=${pct%\%}
  if (( p > 95 )); then say 2 "CRITICAL: $mnt at $pct"
  elif (( p > 85 )); then say 1 "WARNING: $mnt at $pct"; fi
done < <(df -P -x tmpfs -x devtmpfs | awk 'NR>1 {print $5, $6}')

for host in shop.corp.example api.corp.example; do
  end=$(echo | openssl s_client -servername "$host" -connect "$host:443" 2>/dev/null | openssl x509 -noout -enddate | cut -d= -f2)
  days=$(( ($(date -d "$end" +%s) - $(date +%s)) / 86400 ))
  (( days < 14 )) && say 1 "WARNING: certificate of $host ends in $days days"
done

z=$(ps -eo stat= | grep -c '^Z')
(( z > 20 )) && say 1 "WARNING: $z zombies"
(( state == 0 )) && echo "OK"
exit $state
