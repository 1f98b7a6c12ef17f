#!/usr/bin/env bash
# bring up the training web shop for participants, local network only
set -euo pipefail
NET=lab-net
docker network inspect $NET >/dev/null 2>&1 || docker network create --internal $NET
for n in $(seq 1 "${1:-5}"); do
  docker rm -f "lab-$n" >/dev/null 2>&1 || true
  docker run -d --name "lab-$n" --network $NET --memory 512m --cpus 0.5 \
    --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
    registry.lab.example/webshop:2024
done
docker ps --filter name=lab- --format '{{.Names}} {{.Status}}'
