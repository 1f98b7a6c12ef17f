#!/bin/bash
# every minute: is the bridge alive, and not eating the machine?
PIDF=/run/bridge.pid
LOG=/var/log/bridge-watch.log
say() { echo "$(date '+%F %T') $*" >> $LOG; }
pid=$(cat $PIDF 2>/dev/null)
if [ -z "$pid" ] || ! kill -0 "$pid" 2>/dev/null; then
  say "down, starting"
  /etc/init.d/bridge start >> $LOG 2>&1
  exit
fi
rss=$(awk '/VmRSS/{print $2}' /proc/$pid/status)
cpu=$(ps -o pcpu= -p "$pid" | cut -d. -f1)
if [ "${rss:-0}" -gt 1500000 ] || [ "${cpu:-0}" -gt 95 ]; then
  say "pid $pid rss $rss cpu $cpu, restarting"
  gcore -o /var/crash/bridge "$pid" >/dev/null
  kill "$pid"; sleep 10; kill -9 "$pid" 2>/dev/null
  /etc/init.d/bridge start >> $LOG 2>&1
fi
nc -z -w 3 127.0.0.1 1883 || { say "port does not answer"; /etc/init.d/bridge restart >> $LOG 2>&1; }
