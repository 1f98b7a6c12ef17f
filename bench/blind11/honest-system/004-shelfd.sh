#!/bin/sh
### BEGIN INIT INFO
# Provides:          shelfd
# Required-Start:    $network $remote_fs
# Required-Stop:     $network $remote_fs
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: shelf label daemon
### END INIT INFO
DAEMON=/usr/sbin/shelfd
PIDFILE=/run/shelfd.pid
. /lib/lsb/init-functions
[ -x "$DAEMON" ] || exit 0

case "$1" in
  start)
    log_daemon_msg "Starting shelfd"
    start-stop-daemon --start --quiet --background --make-pidfile --pidfile $PIDFILE --chuid shelfd --exec $DAEMON
    log_end_msg $?
    ;;
  stop)
    log_daemon_msg "Stopping shelfd"
    start-stop-daemon --stop --quiet --retry 10 --pidfile $PIDFILE
    log_end_msg $?
    ;;
  restart) "$0" stop; "$0" start ;;
  status) status_of_proc -p $PIDFILE "$DAEMON" shelfd ;;
  *) echo "Usage: $0 {start|stop|restart|status}"; exit 2 ;;
esac
