#!/bin/sh
### BEGIN INIT INFO
# Provides:          relayd
# Required-Start:    $network $remote_fs
# Required-Stop:     $network $remote_fs
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
### END INIT INFO
DAEMON=/usr/sbin/relayd
PIDFILE=/run/relayd.pid
. /lib/lsb/init-functions
case "$1" in
  start) start-stop-daemon --start --quiet --pidfile $PIDFILE --exec $DAEMON -- -d ;;
  stop) start-stop-daemon --stop --quiet --retry 10 --pidfile $PIDFILE ;;
  restart|force-reload) "$0" stop; "$0" start ;;
  status) status_of_proc -p $PIDFILE $DAEMON relayd ;;
  *) echo "Usage: $0 {start|stop|restart|status}"; exit 3 ;;
esac
