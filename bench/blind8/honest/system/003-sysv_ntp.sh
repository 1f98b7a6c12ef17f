#!/bin/sh
### BEGIN INIT INFO
# Provides:          timesync
# Required-Start:    $network $remote_fs $syslog
# Required-Stop:     $network $remote_fs $syslog
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: Time daemon
### END INIT INFO
. /lib/lsb/init-functions
DAEMON=/usr/sbin/timesyncd
PIDFILE=/run/timesync.pid
[ -x "$DAEMON" ] || exit 5
[ -r /etc/default/timesync ] && . /etc/default/timesync
case $1 in
  start)
    log_daemon_msg "Starting time daemon" timesync
    start-stop-daemon --start --quiet --oknodo --pidfile $PIDFILE --exec $DAEMON -- -p $PIDFILE $OPTS
    log_end_msg $? ;;
  stop)
    log_daemon_msg "Stopping time daemon" timesync
    start-stop-daemon --stop --quiet --oknodo --retry=TERM/30/KILL/5 --pidfile $PIDFILE
    log_end_msg $?; rm -f $PIDFILE ;;
  restart|force-reload) $0 stop; sleep 1; $0 start ;;
  status) status_of_proc -p $PIDFILE $DAEMON timesync ;;
  *) echo "Usage: $0 {start|stop|restart|force-reload|status}"; exit 2 ;;
esac
