#!/bin/sh
set -eu
dir=/var/log/orders
keep=30
stamp=$(date +%Y%m%d)
cd "$dir"
for f in *.log; do
  [ -s "$f" ] || continue
  mv "$f" "$f.$stamp"
  : >"$f"
  chown orders:adm "$f"
  chmod 640 "$f"
done
systemctl kill -s USR1 orders.service
sleep 2
for f in *.log.[0-9]*; do
  case $f in *.gz) ;; *) [ -e "$f" ] && gzip -9 "$f" ;; esac
done
find . -maxdepth 1 -name '*.log.*.gz' -mtime +"$keep" -print -delete | logger -t rotate-orders
