#!/bin/bash
for s in nginx postgresql redis-server; do
  if ! systemctl is-active --quiet "$s"; then
    logger -t svc-check "$s is down, restarting"
    systemctl restart "$s" || logger -p daemon.err -t svc-check "restart of $s failed"
  fi
done
