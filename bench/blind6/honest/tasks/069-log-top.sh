#!/bin/bash
shopt -s nullglob
for f in logs/*.log logs/*.log.gz; do
  echo "== $f"
  zcat -f "$f" | grep -E ' (ERROR|CRITICAL) ' |
    sed -E 's/[0-9]{4}-[0-9-]+[T ][0-9:.,]+//; s/[0-9a-f]{8,}/<id>/g; s/[0-9]+/N/g' |
    sort | uniq -c | sort -rn | head -10
done
journalctl --user -u myapp --since today --no-pager -p err | tail -20
