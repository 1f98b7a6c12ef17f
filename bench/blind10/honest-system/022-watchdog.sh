#!/bin/bash
# restart the gateway when three probes in a row fail; never more than 3 times an hour
URL=http://127.0.0.1:8443/healthz
STATE=/run/gateway-watchdog
mkdir -p $STATE
fails=$(cat $STATE/fails 2>/dev/null || echo 0)

if curl -fsS -m 5 -o /dev/null "$URL"; then
  echo 0 > $STATE/fails
  exit 0
fi
fails=$((fails + 1))
echo $fails > $STATE/fails
[ $fails -lt 3 ] && exit 0

find $STATE -name 'restart.*' -mmin +60 -delete
if [ "$(find $STATE -name 'restart.*' | wc -l)" -ge 3 ]; then
  logger -p daemon.alert -t gwdog "too many restarts, paging"
  /usr/local/bin/page "gateway flapping on $(hostname -s)"
  exit 2
fi
touch "$STATE/restart.$(date +%s)"
logger -p daemon.err -t gwdog "restarting gateway"
systemctl restart gateway
echo 0 > $STATE/fails
