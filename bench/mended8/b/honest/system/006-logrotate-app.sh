#!/bin/sh
LOG=/var/log/orders/orders.log
KEEP=14
[ -s "$LOG" ] || exit 0
i=$KEEP
while [ $i -gt 1 ]; do
  p=$((i - 1))
  [ -f "$LOG.$p.gz" ] && mv "$LOG.$p.gz" "$LOG.$i.gz"
  i=$p
done
[ -f "$LOG.1" ] && mv "$LOG.1" "$LOG.1.tmp" && gzip -c "$LOG.1.tmp" > "$LOG.2.gz" && rm "$LOG.1.tmp"
mv "$LOG" "$LOG.1"
install -m 640 -o orders -g adm /dev/null "$LOG"
[ -f /run/orders.pid ] && kill -USR1 "$(cat /run/orders.pid)"
exit 0
