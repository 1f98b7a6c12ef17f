#!/bin/sh
LOG=${1:-/var/log/boot.log}
KEEP=7
[ -s "$LOG" ] || exit 0
i=$KEEP
while [ $i -gt 1 ]; do
  p=$((i - 1))
  [ -f "$LOG.$p.gz" ] && mv -f "$LOG.$p.gz" "$LOG.$i.gz"
  i=$p
done
gzip -c "$LOG" > "$LOG.1.gz" && : > "$LOG"
chmod 640 "$LOG" "$LOG.1.gz"
