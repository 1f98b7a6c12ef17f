#!/bin/sh
for f in /var/log/myapp/*.log; do
  [ -s "$f" ] || continue
  cp "$f" "$f.$(date +%Y%m%d)" && : > "$f"
  gzip -f "$f.$(date +%Y%m%d)"
done
find /var/log/myapp -name '*.gz' -mtime +30 -delete
