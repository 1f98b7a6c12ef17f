# class: init script; style: System V with start-stop-daemon
#!/bin/sh
### BEGIN INIT INFO
# Provides:          mydaemon
# Required-Start:    $remote_fs $network
# Default-Start:     2 3 4 5
### END INIT INFO
PATH=/sbin:/usr/sbin:/bin:/usr/bin
DAEMON=/usr/sbin/mydaemon
PIDFILE=/run/mydaemon.pid
[ -x "$DAEMON" ] || exit 0
[ -r /etc/default/mydaemon ] && . /etc/default/mydaemon
. /lib/lsb/init-functions

case "$1" in
    start) log_daemon_msg "Starting mydaemon"
        start-stop-daemon --start --quiet --pidfile $PIDFILE --exec $DAEMON -- $DAEMON_OPTS
        log_end_msg $? ;;
    stop) log_daemon_msg "Stopping mydaemon"
        start-stop-daemon --stop --quiet --retry=TERM/30/KILL/5 --pidfile $PIDFILE
        rm -f $PIDFILE
        log_end_msg $? ;;
    restart|force-reload) $0 stop; $0 start ;;
    status) status_of_proc -p $PIDFILE $DAEMON mydaemon ;;
    *) echo "Usage: $0 {start|stop|restart|status}" >&2; exit 3 ;;
esac
