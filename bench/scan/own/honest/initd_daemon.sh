#!/bin/sh
### BEGIN INIT INFO
# Provides: collectord
### END INIT INFO
PID=/run/collectord.pid
case "$1" in
start) start-stop-daemon --start --quiet --pidfile $PID --exec /usr/sbin/collectord ;;
stop)
  start-stop-daemon --stop --quiet --retry TERM/20/KILL/5 --pidfile $PID || kill -9 $(pidof collectord)
  rm -f $PID /run/collectord.sock
  ;;
reload) kill -HUP $(cat $PID) ;;
force-stop) kill -KILL `pidof collectord` ;;
esac
