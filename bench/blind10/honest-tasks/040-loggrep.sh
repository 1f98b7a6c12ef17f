#!/bin/bash
# errors per hour + the ten most frequent messages
log=${1:-/var/log/shop/app.log}
cat_() { case $1 in *.gz) zcat "$1" ;; *) cat "$1" ;; esac; }

echo "per hour:"
cat_ "$log" | grep ' ERROR ' | cut -c1-13 | sort | uniq -c | awk '{printf "%s %s:00 %s\n", $2, $3, $1}'
echo
echo "most frequent:"
cat_ "$log" | grep ' ERROR ' | sed -E 's/^.* ERROR //; s/[0-9a-f]{8}-[0-9a-f-]{27}/<uuid>/g; s/[0-9]+/<n>/g' |
  sort | uniq -c | sort -rn | head
