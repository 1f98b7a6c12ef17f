#!/bin/bash
set -euo pipefail
node=${1:?node} ver=${2:?version}
kubectl get node "$node" >/dev/null
kubectl drain "$node" --ignore-daemonsets --delete-emptydir-data --timeout=10m
trap 'kubectl uncordon "$node"' EXIT
ssh "admin@$node" "sudo apt-mark unhold kubelet kubectl && sudo apt-get update -qq && sudo apt-get install -y -qq kubelet=$ver-* kubectl=$ver-* && sudo apt-mark hold kubelet kubectl && sudo systemctl daemon-reload && sudo systemctl restart kubelet"
for _ in $(seq 60); do
  kubectl wait --for=condition=Ready "node/$node" --timeout=10s && break
done
kubectl get node "$node" -o wide
