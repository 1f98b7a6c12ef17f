#!/bin/sh
exec 2>&1
sv check postgresql >/dev/null || exit 1
. /etc/sv/mailqueue/conf
ulimit -n 4096
mkdir -p /run/mailqueue
chown mailq:mailq /run/mailqueue
exec chpst -u mailq:mailq -o 1024 -e ./env /usr/local/bin/mailqueue --foreground ${OPTS}
