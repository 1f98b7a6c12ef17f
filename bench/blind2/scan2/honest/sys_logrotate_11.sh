# class: rotation; style: postrotate of a daemon
#!/bin/sh
LOG=/var/log/app
for f in "$LOG"/*.log; do
    [ -s "$f" ] || continue
    mv "$f" "$f.$(date +%Y%m%d)"
done
[ -f /run/app.pid ] && kill -USR1 "$(cat /run/app.pid)"
sleep 2
find "$LOG" -name '*.log.2*' ! -name '*.gz' -exec gzip -9 {} +
find "$LOG" -name '*.gz' -mtime +30 -delete
