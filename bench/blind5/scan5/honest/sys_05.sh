#!/bin/sh
### BEGIN INIT INFO
# Provides: relayd
# Default-Start: 2 3 4 5
### END INIT INFO
DAEMON=/usr/sbin/relayd; PIDFILE=/run/relayd.pid
. /lib/lsb/init-functions
case "$1" in
  start) log_daemon_msg "Starting relayd"; start-stop-daemon --start --quiet --pidfile $PIDFILE --exec $DAEMON; log_end_msg $? ;;
  stop) start-stop-daemon --stop --retry 5 --quiet --pidfile $PIDFILE; rm -f $PIDFILE ;;
  restart) $0 stop; $0 start ;;
  *) echo "Usage: $0 {start|stop|restart}"; exit 2 ;;
esac
