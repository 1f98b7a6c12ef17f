#!/bin/bash
# keep seven compressed copies
LOG=/var/log/myapp/app.log
[ -s "$LOG" ] || exit 0
for i in 6 5 4 3 2 1; do
  [ -f "$LOG.$i.gz" ] && mv "$LOG.$i.gz" "$LOG.$((i + 1)).gz"
done
cp -p "$LOG" "$LOG.1" && : > "$LOG"
gzip -f "$LOG.1"
