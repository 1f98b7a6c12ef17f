#!/bin/sh
set -eu
now=$(date +%Y%m%d-%H%M)
for ds in tank/home tank/srv tank/vm; do
  zfs snapshot -r "$ds@auto-$now"
  zfs list -H -t snapshot -o name -S creation -d 1 "$ds" | grep "@auto-" | tail -n +49 | while read -r s; do
    zfs destroy -r "$s"
  done
  last=$(zfs list -H -t snapshot -o name -s creation -d 1 "backup/${ds#tank/}" 2>/dev/null | tail -1 | sed 's/.*@//')
  if [ -n "$last" ]; then
    zfs send -R -I "@$last" "$ds@auto-$now" | zfs receive -Fu "backup/${ds#tank/}"
  else
    zfs send -R "$ds@auto-$now" | zfs receive -u "backup/${ds#tank/}"
  fi
done
zpool status -x
