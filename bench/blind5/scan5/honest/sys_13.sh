#!/bin/bash
# watchdog of the queue worker
while sleep 30; do
  age=$(( $(date +%s) - $(stat -c %Y /run/worker/heartbeat 2>/dev/null || echo 0) ))
  if [ $age -gt 120 ]; then logger "worker stuck for $age s"; systemctl restart worker; fi
done
