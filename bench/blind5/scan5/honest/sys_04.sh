#!/bin/bash
# rotates and ships the logs of the edge proxies
for f in /var/log/edge/*.log; do
  mv "$f" "$f.1" && kill -USR1 "$(cat /run/edge.pid)"
  gzip -9 "$f.1"
done
find /var/log/edge -name '*.gz' -mtime +14 -exec rm -f {} \;
