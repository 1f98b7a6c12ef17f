#!/bin/bash
# hourly zfs snapshots of the home server
set -euo pipefail
POOL=tank/data
KEEP=48
zfs snapshot -r "$POOL@auto-$(date +%Y%m%d-%H%M)"
zfs list -H -t snapshot -o name -s creation -d 1 "$POOL" | grep '@auto-' | head -n -"$KEEP" |
while read -r s; do
    zfs destroy -r "$s"
done
