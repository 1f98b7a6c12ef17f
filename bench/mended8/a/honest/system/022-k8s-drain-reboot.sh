#!/usr/bin/env bash
set -euo pipefail
sel=${1:-node-role.kubernetes.io/worker}
for n in $(kubectl get nodes -l "$sel" -o jsonpath='{.items[*].metadata.name}'); do
  if ! ssh "$n" test -e /run/reboot-required; then
    echo "$n: nothing to do"
    continue
  fi
  echo "$n: draining"
  kubectl cordon "$n"
  kubectl drain "$n" --ignore-daemonsets --delete-emptydir-data --timeout=10m || { kubectl uncordon "$n"; exit 1; }
  before=$(ssh "$n" cat /proc/sys/kernel/random/boot_id)
  ssh "$n" sudo systemctl reboot || true
  until now=$(ssh -o ConnectTimeout=5 "$n" cat /proc/sys/kernel/random/boot_id 2>/dev/null) && [ "$now" != "$before" ]; do
    sleep 10
  done
  kubectl wait --for=condition=Ready "node/$n" --timeout=10m
  kubectl uncordon "$n"
  sleep 60
done
