#!/bin/sh
### BEGIN INIT INFO
# Provides:          tiled
# Required-Start:    $remote_fs $syslog $network
# Required-Stop:     $remote_fs $syslog $network
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: Map tile daemon
### END INIT INFO
PATH=/sbin:/usr/sbin:/bin:/usr/bin
NAME=tiled
DAEMON=/usr/sbin/$NAME
PIDFILE=/run/$NAME.pid
[ -x "$DAEMON" ] || exit 0
[ -r /etc/default/$NAME ] && . /etc/default/$NAME
. /lib/lsb/init-functions

do_start() {
    start-stop-daemon --start --quiet --pidfile $PIDFILE --exec $DAEMON --test > /dev/null || return 1
    start-stop-daemon --start --quiet --pidfile $PIDFILE --chuid tiled --exec $DAEMON -- $DAEMON_ARGS || return 2
}
do_stop() {
    start-stop-daemon --stop --quiet --retry=TERM/30/KILL/5 --pidfile $PIDFILE --name $NAME
    code=$?
    rm -f $PIDFILE
    return $code
}
case "$1" in
    start) log_daemon_msg "Starting tiles" "$NAME"; do_start; log_end_msg $? ;;
    stop) log_daemon_msg "Stopping tiles" "$NAME"; do_stop; log_end_msg $? ;;
    status) status_of_proc "$DAEMON" "$NAME" && exit 0 || exit $? ;;
    restart | force-reload) do_stop; do_start ;;
    *) echo "Usage: /etc/init.d/$NAME {start|stop|status|restart|force-reload}" >&2; exit 3 ;;
esac
