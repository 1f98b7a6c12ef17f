#!/bin/sh
### BEGIN INIT INFO
# Provides:          cached
# Required-Start:    $remote_fs $network
# Required-Stop:     $remote_fs $network
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: local object cache
### END INIT INFO
NAME=cached
DAEMON=/usr/sbin/cached
PIDFILE=/run/$NAME.pid
[ -x $DAEMON ] || exit 0
[ -r /etc/default/$NAME ] && . /etc/default/$NAME
. /lib/lsb/init-functions

case "$1" in
  start)
    log_daemon_msg "Starting cache" $NAME
    ulimit -n "${ULIMIT:-8192}"
    start-stop-daemon --start --quiet --background --make-pidfile --pidfile $PIDFILE --chuid cache --exec $DAEMON -- ${DAEMON_ARGS}
    log_end_msg $?
    ;;
  stop)
    log_daemon_msg "Stopping cache" $NAME
    start-stop-daemon --stop --quiet --oknodo --retry=TERM/20/KILL/5 --pidfile $PIDFILE
    log_end_msg $?
    rm -f $PIDFILE
    ;;
  reload) kill -HUP "$(cat $PIDFILE)" ;;
  restart|force-reload) $0 stop; $0 start ;;
  status) status_of_proc -p $PIDFILE $DAEMON $NAME ;;
  *) echo "Usage: $0 {start|stop|reload|restart|status}"; exit 2 ;;
esac
