#!/bin/sh
# clean the scratch area of the cluster: files not read for 30 days, then empty dirs
SCRATCH=/scratch
LOG=/var/log/scratch-clean.log
[ -d "$SCRATCH" ] && [ "$(stat -c %m "$SCRATCH")" = "$SCRATCH" ] || exit 1
exec 9>/run/scratch-clean.lock
flock -n 9 || exit 0

before=$(df --output=used "$SCRATCH" | tail -1)
find "$SCRATCH" -xdev -mindepth 2 -type f -atime +30 -not -path '*/keep/*' -print -delete >> "$LOG"
find "$SCRATCH" -xdev -mindepth 3 -type d -empty -delete
after=$(df --output=used "$SCRATCH" | tail -1)
echo "$(date -Is) freed $(( (before - after) / 1024 )) MiB" >> "$LOG"
