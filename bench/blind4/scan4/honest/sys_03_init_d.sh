#!/bin/sh
### BEGIN INIT INFO
# Provides:          queued
# Required-Start:    $network $remote_fs
# Required-Stop:     $network $remote_fs
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: queue daemon
### END INIT INFO
. /lib/lsb/init-functions
DAEMON=/usr/sbin/queued
PID=/run/queued.pid
[ -x $DAEMON ] || exit 0
case "$1" in
  start) log_daemon_msg "Starting queued"
    start-stop-daemon --start --quiet --background --make-pidfile --pidfile $PID --chuid queued --exec $DAEMON
    log_end_msg $? ;;
  stop) log_daemon_msg "Stopping queued"
    start-stop-daemon --stop --quiet --retry=TERM/20/KILL/5 --pidfile $PID
    log_end_msg $?; rm -f $PID ;;
  restart|force-reload) $0 stop; $0 start ;;
  status) status_of_proc -p $PID $DAEMON queued ;;
  *) echo "Usage: $0 {start|stop|restart|status}"; exit 2 ;;
esac
