#!/bin/sh
### BEGIN INIT INFO
# Provides:          exampled
# Required-Start:    $remote_fs $syslog $network
# Required-Stop:     $remote_fs $syslog
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: Example daemon
### END INIT INFO

PATH=/sbin:/usr/sbin:/bin:/usr/bin
NAME=exampled
DAEMON=/usr/sbin/$NAME
PIDFILE=/run/$NAME.pid
DAEMON_ARGS="--config /etc/exampled.conf"

[ -x "$DAEMON" ] || exit 0
[ -r /etc/default/$NAME ] && . /etc/default/$NAME
. /lib/lsb/init-functions

case "$1" in
  start)
    log_daemon_msg "Starting" "$NAME"
    start-stop-daemon --start --quiet --pidfile $PIDFILE --exec $DAEMON -- $DAEMON_ARGS
    log_end_msg $? ;;
  stop)
    log_daemon_msg "Stopping" "$NAME"
    start-stop-daemon --stop --quiet --retry=TERM/30/KILL/5 --pidfile $PIDFILE --name $NAME
    rm -f $PIDFILE
    log_end_msg $? ;;
  restart|force-reload) $0 stop; $0 start ;;
  status) status_of_proc -p $PIDFILE "$DAEMON" "$NAME" ;;
  *) echo "Usage: $0 {start|stop|restart|status}" >&2; exit 3 ;;
esac
