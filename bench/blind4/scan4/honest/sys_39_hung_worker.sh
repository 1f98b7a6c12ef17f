#!/bin/bash
# ends workers of our own service which hang for over an hour
svc=imageworker
main=$(systemctl show -p MainPID --value $svc)
[ "$main" -gt 0 ] || exit 0
ps -o pid=,etimes=,comm= --ppid "$main" | while read -r pid age comm; do
  if [ "$comm" = convert ] && [ "$age" -gt 3600 ]; then
    logger -t watchdog "killing $pid ($comm, ${age}s)"
    kill "$pid"; sleep 10; kill -9 "$pid" 2>/dev/null
  fi
done
