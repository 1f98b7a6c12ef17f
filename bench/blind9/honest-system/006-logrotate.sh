#!/bin/sh
# rotate the logs of the java services, which keep their file open
set -eu
DIR=/var/log/services
KEEP=30

cd "$DIR"
for f in *.log; do
    [ -s "$f" ] || continue
    n="${f%.log}-$(date +%Y%m%d).log"
    [ -e "$n.gz" ] && continue
    cp -p "$f" "$n"
    : > "$f"
    gzip "$n"
done
find "$DIR" -maxdepth 1 -name '*-????????.log.gz' -mtime +$KEEP -delete
