#!/bin/bash
set -euo pipefail
docker compose pull -q
docker compose up -d --build
for s in $(docker compose ps --services); do
  for _ in {1..30}; do
    st=$(docker inspect -f '{{if .State.Health}}{{.State.Health.Status}}{{else}}{{.State.Status}}{{end}}' "$(docker compose ps -q "$s")")
    [[ $st == healthy || $st == running ]] && break
    sleep 2
  done
  echo "$s: $st"
done
docker compose logs --tail=20
