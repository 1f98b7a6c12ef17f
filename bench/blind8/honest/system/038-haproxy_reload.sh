#!/bin/bash
set -euo pipefail
sock=/run/haproxy/admin.sock
cmd() { echo "$*" | socat stdio "unix-connect:$sock"; }
case ${1:-} in
  drain) cmd set server "$2" state drain
    for _ in $(seq 60); do
      n=$(cmd show stat | awk -F, -v s="$2" '$1 "/" $2 == s {print $5}')
      [ "${n:-0}" = 0 ] && break
      sleep 1
    done
    cmd set server "$2" state maint ;;
  ready) cmd set server "$2" state ready ;;
  reload) haproxy -c -q -f /etc/haproxy/haproxy.cfg && systemctl reload haproxy ;;
  *) echo "usage: $0 drain|ready BACKEND/SERVER | reload" >&2; exit 64 ;;
esac
