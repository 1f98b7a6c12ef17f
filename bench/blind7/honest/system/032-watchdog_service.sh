#!/bin/bash
svc=${1:?service} url=${2:?url}
state=/run/svc-watch-$svc
for try in 1 2 3; do
  curl -fsS -m 10 -o /dev/null "$url" && exit 0
  sleep 10
done
now=$(date +%s)
touch "$state"
n=$(awk -v t=$((now - 3600)) '$1 > t' "$state" | wc -l)
if [ "$n" -ge 3 ]; then
  logger -p daemon.crit -t svc-watch "$svc: too many restarts, giving up"
  exit 2
fi
journalctl -u "$svc" -n 100 --no-pager > "/var/log/svc-watch-$svc-$now.log"
systemctl restart "$svc"
echo "$now" >> "$state"
logger -p daemon.warning -t svc-watch "$svc restarted ($((n + 1))/3)"
