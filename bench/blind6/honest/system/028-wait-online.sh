#!/bin/sh
timeout=${1:-60}
n=0
while [ "$n" -lt "$timeout" ]; do
  if ip route show default | grep -q '^default'; then
    if getent hosts deb.example.org >/dev/null; then
      exit 0
    fi
  fi
  sleep 1
  n=$((n + 1))
done
echo "no network after $timeout seconds" >&2
exit 1
