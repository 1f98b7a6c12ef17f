#!/bin/bash
# Rotate /var/log/app when logrotate is not available
dir=/var/log/app keep=8 max=$((50 * 1024 * 1024))
for f in "$dir"/*.log; do
  [ -f "$f" ] || continue
  size=$(stat -c %s "$f")
  [ "$size" -lt "$max" ] && continue
  for ((i = keep - 1; i >= 1; i--)); do
    [ -f "$f.$i.gz" ] && mv "$f.$i.gz" "$f.$((i + 1)).gz"
  done
  mv "$f" "$f.1"
  : > "$f"
  chown --reference="$f.1" "$f"; chmod --reference="$f.1" "$f"
  [ -r /run/app.pid ] && kill -USR1 "$(cat /run/app.pid)"
  sleep 1
  gzip "$f.1"
done
find "$dir" -name '*.gz' -mtime +60 -delete
