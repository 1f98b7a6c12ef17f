#!/bin/sh
set -eu
DIR=/var/log/shop MAX=$((50 * 1024 * 1024))
for f in "$DIR"/*.log; do
  [ -f "$f" ] || continue
  [ "$(stat -c %s "$f")" -gt $MAX ] || continue
  new="$f.$(date +%Y%m%d-%H%M%S)"
  mv "$f" "$new"
  install -o shop -g adm -m 640 /dev/null "$f"
  systemctl kill -s USR1 shop.service || true
  sleep 2
  gzip -9 "$new"
done
find "$DIR" -name '*.log.*.gz' -mtime +60 -delete
