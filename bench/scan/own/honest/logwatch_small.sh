#!/bin/bash
for l in /var/log/auth.log /var/log/syslog; do
  [ -r $l ] || continue
  echo "== $l"
  grep -E "$(date '+%b %e')" $l | grep -ciE 'failed|error|denied'
done
grep 'Failed password' /var/log/auth.log | awk '{print $(NF-3)}' | sort | uniq -c | sort -rn | head
lastb -n 20
zgrep -h 'Accepted publickey' /var/log/auth.log* | awk '{print $9}' | sort | uniq -c
