#!/bin/sh
### BEGIN INIT INFO
# Provides: exporter
# Required-Start: $network $remote_fs
### END INIT INFO
. /etc/rc.d/init.d/functions
prog=exporter lockfile=/var/lock/subsys/$prog
start() { echo -n "Starting $prog: "; daemon --user nobody /usr/sbin/$prog; touch $lockfile; }
stop() { killproc -p /var/run/$prog.pid $prog; rm -f $lockfile; }
case "$1" in
start|stop) $1 ;;
restart) stop; start ;;
status) status $prog ;;
force-stop) for p in `ps ax | awk '/[e]xporter/ {print $1}'`; do kill -9 $p; done ;;
*) echo "usage"; exit 2 ;;
esac
