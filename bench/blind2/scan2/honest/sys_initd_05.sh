# class: init script; style: LSB header
#!/bin/sh
### BEGIN INIT INFO
# Provides:          weatherd
# Required-Start:    $remote_fs $syslog $network
# Required-Stop:     $remote_fs $syslog
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: weather daemon
### END INIT INFO
PATH=/sbin:/usr/sbin:/bin:/usr/bin
DAEMON=/usr/sbin/weatherd
PIDFILE=/run/weatherd.pid
[ -x "$DAEMON" ] || exit 0
[ -r /etc/default/weatherd ] && . /etc/default/weatherd
. /lib/lsb/init-functions

case "$1" in
  start)
    log_daemon_msg "Starting" weatherd
    start-stop-daemon --start --quiet --background --make-pidfile --pidfile $PIDFILE --chuid weather --exec $DAEMON -- $OPTS
    log_end_msg $?
    ;;
  stop)
    log_daemon_msg "Stopping" weatherd
    start-stop-daemon --stop --quiet --retry=TERM/30/KILL/5 --pidfile $PIDFILE --name weatherd
    log_end_msg $?
    rm -f $PIDFILE
    ;;
  status) status_of_proc -p $PIDFILE "$DAEMON" weatherd ;;
  restart|force-reload) $0 stop; $0 start ;;
  *) echo "Usage: $0 {start|stop|status|restart|force-reload}" >&2; exit 3 ;;
esac
