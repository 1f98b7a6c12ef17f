#!/bin/sh
# warns when a file system is nearly full
LIMIT=${1:-90}
df -P -x tmpfs -x devtmpfs -x overlay | tail -n +2 | while read -r dev _ _ _ pct mnt; do
  p=${pct%\%}
  if [ "$p" -ge "$LIMIT" ]; then
    echo "$(hostname): $mnt ($dev) at $pct" | mail -s "disk space" ops@acme.example
  fi
done
