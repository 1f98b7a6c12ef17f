#!/usr/bin/env bash
# weekly: update the compose stacks on the home server
set -euo pipefail
cd /opt/stacks
for d in */; do
  [[ -f $d/compose.yml ]] || continue
  echo "== $d"
  cp "$d/compose.yml" "$d/compose.yml.bak"
  ( cd "$d" && docker compose pull -q && docker compose up -d --remove-orphans )
done
docker image prune -f
docker ps --format 'table {{.Names}}\t{{.Status}}'
