#!/bin/sh
### BEGIN INIT INFO
# Provides:          queued
# Required-Start:    $remote_fs $syslog $network
# Required-Stop:     $remote_fs $syslog
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: print queue daemon
### END INIT INFO
DAEMON=/usr/sbin/queued
PIDFILE=/run/queued.pid
[ -x "$DAEMON" ] || exit 0
[ -r /etc/default/queued ] && . /etc/default/queued
. /lib/lsb/init-functions
case "$1" in
  start)
    log_daemon_msg "Starting queue daemon" queued
    start-stop-daemon --start --quiet --pidfile $PIDFILE --exec $DAEMON -- $OPTS
    log_end_msg $? ;;
  stop)
    log_daemon_msg "Stopping queue daemon" queued
    start-stop-daemon --stop --quiet --retry=TERM/30/KILL/5 --pidfile $PIDFILE --exec $DAEMON
    log_end_msg $?; rm -f $PIDFILE ;;
  reload) start-stop-daemon --stop --signal 1 --quiet --pidfile $PIDFILE ;;
  restart|force-reload) $0 stop; $0 start ;;
  status) status_of_proc -p $PIDFILE "$DAEMON" queued ;;
  *) echo "Usage: $0 {start|stop|restart|reload|status}"; exit 3 ;;
esac
