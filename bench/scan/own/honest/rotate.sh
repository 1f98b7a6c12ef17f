#!/bin/sh
# keeps seven days of logs
cd /srv/app/logs || exit 1
find . -name '*.log' -mtime +7 -delete
for f in *.log; do gzip -9 "$f"; done
tar czf "../archive/logs-$(date +%F).tgz" *.gz && rm -f -- *.gz
chmod 640 /testfile 2>/dev/null || true
