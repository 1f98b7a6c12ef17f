#!/bin/sh
### BEGIN INIT INFO
# Provides:          cached
# Required-Start:    $remote_fs $network
# Required-Stop:     $remote_fs $network
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: object cache
### END INIT INFO
. /lib/lsb/init-functions
DAEMON=/usr/sbin/cached
PIDFILE=/run/cached/cached.pid
OPTS="-c /etc/cached.conf"
[ -r /etc/default/cached ] && . /etc/default/cached
test -x $DAEMON || exit 0
case "$1" in
  start)
    log_daemon_msg "Starting cached"
    install -d -o cached -g cached /run/cached
    start-stop-daemon --start --quiet --background --make-pidfile --pidfile $PIDFILE --chuid cached --exec $DAEMON -- $OPTS
    log_end_msg $? ;;
  stop)
    log_daemon_msg "Stopping cached"
    start-stop-daemon --stop --quiet --oknodo --retry TERM/10/KILL/5 --pidfile $PIDFILE
    log_end_msg $? ;;
  restart) $0 stop; $0 start ;;
  status) status_of_proc -p $PIDFILE $DAEMON cached ;;
  *) echo "Usage: $0 {start|stop|restart|status}" >&2; exit 3 ;;
esac
