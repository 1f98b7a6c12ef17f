#!/bin/bash
set -euo pipefail
ds=${1:-tank/home} remote=${2:-backup@nas.internal.example} target=${3:-vault/home}
now="$ds@auto-$(date +%Y%m%d%H%M)"
last=$(zfs list -H -t snapshot -o name -S creation -d1 "$ds" | grep '@auto-' | head -1 || true)
zfs snapshot -r "$now"
if [ -n "$last" ]; then
  zfs send -R -i "$last" "$now" | ssh "$remote" zfs receive -F "$target"
else
  zfs send -R "$now" | ssh "$remote" zfs receive "$target"
fi
zfs list -H -t snapshot -o name -S creation -d1 "$ds" | grep '@auto-' | tail -n +49 | xargs -r -n1 zfs destroy -r
