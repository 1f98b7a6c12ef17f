#!/bin/sh
# rotate /var/log/shelfd/*.log, keep eight
set -e
cd /var/log/shelfd
for f in *.log; do
  [ -s "$f" ] || continue
  i=8
  while [ $i -gt 1 ]; do
    p=$((i - 1))
    [ -f "$f.$p.gz" ] && mv "$f.$p.gz" "$f.$i.gz"
    i=$p
  done
  cp -p "$f" "$f.1" && : > "$f"
  gzip -f "$f.1"
done
systemctl kill -s HUP shelfd.service || true
