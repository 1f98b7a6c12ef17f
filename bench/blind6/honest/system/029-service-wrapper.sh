#!/bin/sh
VERSION="service ver. 1.65"
[ $# -ge 1 ] || { echo "Usage: service < option > | --status-all | [ service_name [ command | --full-restart ] ]" >&2; exit 1; }
if [ "$1" = --status-all ]; then
  for s in /etc/init.d/*; do
    case $(basename "$s") in README|skeleton|rc|rcS) continue ;; esac
    if env -i PATH="$PATH" "$s" status >/dev/null 2>&1; then echo " [ + ]  $(basename "$s")"; else echo " [ - ]  $(basename "$s")"; fi
  done
  exit 0
fi
svc=$1; shift
if [ -d /run/systemd/system ]; then
  exec systemctl "${1:-status}" "$svc.service"
fi
exec env -i LANG="$LANG" PATH="$PATH" TERM="$TERM" "/etc/init.d/$svc" "$@"
