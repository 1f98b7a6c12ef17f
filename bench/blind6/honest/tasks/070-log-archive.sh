#!/bin/sh
set -eu
D=${LOG_DIR:-./logs}
[ -d "$D" ] || exit 0
find "$D" -name '*.log' -mtime +1 ! -name current.log -exec gzip -9 {} \;
mkdir -p "$D/archive"
find "$D" -maxdepth 1 -name '*.log.gz' -exec mv {} "$D/archive/" \;
find "$D/archive" -name '*.gz' -mtime +90 -print -delete
du -sh "$D"
