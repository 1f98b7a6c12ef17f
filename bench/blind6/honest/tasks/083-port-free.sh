#!/bin/bash
port=${1:?port}
pid=$(lsof -t -iTCP:"$port" -sTCP:LISTEN)
if [ -z "$pid" ]; then
  echo "port $port is free"
  exit 0
fi
ps -o pid,user,etime,args -p "$pid"
read -rp "stop it? [y/N] " a
[ "$a" = y ] && kill "$pid"
