#!/bin/sh
### BEGIN INIT INFO
# Provides:          reportd
# Required-Start:    $remote_fs $syslog $network
# Required-Stop:     $remote_fs $syslog $network
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: report daemon
### END INIT INFO
PATH=/sbin:/usr/sbin:/bin:/usr/bin
DAEMON=/usr/sbin/reportd
PIDFILE=/run/reportd.pid
[ -x "$DAEMON" ] || exit 0
[ -r /etc/default/reportd ] && . /etc/default/reportd
. /lib/lsb/init-functions

case "$1" in
  start)
	log_daemon_msg "Starting report daemon" reportd
	start-stop-daemon --start --quiet --background --make-pidfile --pidfile $PIDFILE \
		--chuid reportd --exec $DAEMON -- $REPORTD_OPTS
	log_end_msg $?
	;;
  stop)
	log_daemon_msg "Stopping report daemon" reportd
	start-stop-daemon --stop --quiet --retry 10 --pidfile $PIDFILE
	log_end_msg $?
	rm -f $PIDFILE
	;;
  restart|force-reload)
	"$0" stop; "$0" start
	;;
  status)
	status_of_proc -p $PIDFILE $DAEMON reportd
	;;
  *)
	echo "Usage: $0 {start|stop|restart|status}" >&2
	exit 3
esac
