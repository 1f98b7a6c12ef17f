#!/bin/bash
# update the stack on the office server
set -e
cd /srv/stack
git pull --ff-only -q
docker compose pull -q
docker compose up -d --remove-orphans

for s in web worker db; do
  for i in $(seq 30); do
    state=$(docker inspect -f '{{.State.Health.Status}}' "stack-$s-1")
    [ "$state" = healthy ] && break
    sleep 2
  done
  echo "$s: $state"
  if [ "$state" != healthy ]; then
    docker compose logs --tail 50 "$s"
    exit 1
  fi
done
docker image prune -f --filter "until=168h"
