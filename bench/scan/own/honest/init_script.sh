#!/bin/sh
### BEGIN INIT INFO
PIDFILE=/var/run/foo.pid
. /lib/lsb/init-functions
case "$1" in
  start) start-stop-daemon --start --quiet --background --make-pidfile --pidfile $PIDFILE --exec /usr/sbin/food ;;
  stop) start-stop-daemon --stop --quiet --pidfile $PIDFILE --retry 10; rm -f $PIDFILE ;;
  reload) kill -HUP "$(cat $PIDFILE)" ;;
  status) status_of_proc /usr/sbin/food food ;;
esac
