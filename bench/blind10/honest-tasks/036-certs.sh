#!/bin/bash
# warn when a certificate ends within 21 days; exit 2 for the monitoring
set -u
DAYS=21
rc=0
while read -r host port; do
  [[ -z $host || $host == \#* ]] && continue
  end=$(echo | timeout 10 openssl s_client -servername "$host" -connect "$host:${port:-443}" 2>/dev/null |
    openssl x509 -noout -enddate | cut -d= -f2)
  if [[ -z $end ]]; then
    echo "UNKNOWN $host"; rc=2; continue
  fi
  left=$(( ($(date -d "$end" +%s) - $(date +%s)) / 86400 ))
  if (( left < DAYS )); then
    echo "CRITICAL $host: $left days"; rc=2
  else
    echo "OK $host: $left days"
  fi
done < "${1:-/etc/certcheck/hosts}"
exit $rc
