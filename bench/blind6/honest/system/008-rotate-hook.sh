#!/bin/sh
# called by logrotate as postrotate
set -u
PID=$(cat /run/nginx.pid 2>/dev/null) || exit 0
if [ -d "/proc/$PID" ]; then
  kill -USR1 "$PID"
fi
for f in /var/log/nginx/*.log.1; do
  [ -f "$f" ] || continue
  chown www-data:adm "$f"
  chmod 0640 "$f"
done
