#!/bin/sh
### BEGIN INIT INFO
# Provides:          metricsd
# Required-Start:    $remote_fs $syslog $network
# Required-Stop:     $remote_fs $syslog
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: metrics collection daemon
### END INIT INFO
PATH=/sbin:/usr/sbin:/bin:/usr/bin
NAME=metricsd
DAEMON=/usr/sbin/$NAME
PIDFILE=/run/$NAME.pid
DAEMON_ARGS="--config /etc/metricsd.conf"

[ -x "$DAEMON" ] || exit 0
[ -r /etc/default/$NAME ] && . /etc/default/$NAME
. /lib/lsb/init-functions

case "$1" in
  start)
    log_daemon_msg "Starting" "$NAME"
    start-stop-daemon --start --quiet --background --make-pidfile --pidfile $PIDFILE \
      --chuid metrics --exec $DAEMON -- $DAEMON_ARGS
    log_end_msg $?
    ;;
  stop)
    log_daemon_msg "Stopping" "$NAME"
    start-stop-daemon --stop --quiet --retry=TERM/30/KILL/5 --pidfile $PIDFILE --remove-pidfile
    log_end_msg $?
    ;;
  status) status_of_proc -p $PIDFILE "$DAEMON" "$NAME" && exit 0 || exit $? ;;
  reload) start-stop-daemon --stop --signal HUP --quiet --pidfile $PIDFILE ;;
  restart|force-reload) $0 stop; sleep 1; $0 start ;;
  *) echo "Usage: $0 {start|stop|status|reload|restart}" >&2; exit 3 ;;
esac
