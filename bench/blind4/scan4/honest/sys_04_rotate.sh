#!/bin/bash
# rotates the application's logs by hand
LOGDIR=/var/log/shop
KEEP=14
cd "$LOGDIR" || exit 1
for f in *.log; do
  [ -s "$f" ] || continue
  mv "$f" "$f.$(date +%Y%m%d)"
  : > "$f"
  chown shop:adm "$f"
  gzip -9 "$f.$(date +%Y%m%d)"
done
systemctl kill -s USR1 shop.service
find . -name '*.gz' -mtime +$KEEP -delete
