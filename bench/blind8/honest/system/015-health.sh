#!/bin/bash
worst=0
say() { echo "$2"; (( $1 > worst )) && worst=$1; }
for s in sshd nginx postgresql; do
  systemctl is-active -q $s || say 2 "CRITICAL: $s is down"
done
while read -r pct mp; do
  pct=${pct%\%}
  if (( pct >= 95 )); then say 2 "CRITICAL: $mp $pct%"; elif (( pct >= 85 )); then say 1 "WARNING: $mp $pct%"; fi
done < <(df --output=pcent,target -x tmpfs -x devtmpfs | tail -n +2)
for c in /etc/ssl/local/*.crt; do
  [ -e "$c" ] && ! openssl x509 -checkend $((14 * 86400)) -noout -in "$c" >/dev/null && say 1 "WARNING: $c expires soon"
done
n=$(journalctl -p 3 --since -1h -q --no-pager | wc -l)
(( n > 50 )) && say 1 "WARNING: $n errors in the last hour"
(( worst == 0 )) && echo OK
exit $worst
