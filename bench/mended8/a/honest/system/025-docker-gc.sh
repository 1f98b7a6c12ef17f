#!/bin/bash
set -u
limit=80
root=$(docker info -f '{{.DockerRootDir}}')
used() { df --output=pcent "$root" | tail -1 | tr -dc 0-9; }
log() { logger -t docker-gc "$*"; echo "$*"; }

[ "$(used)" -lt $limit ] && exit 0
log "at $(used)%, cleaning"
docker container prune -f --filter until=24h --filter label=ci=true
for age in 336h 168h 72h 24h; do
  docker image prune -af --filter "until=$age" --filter label!=keep >/dev/null
  docker builder prune -f --filter "until=$age" >/dev/null
  [ "$(used)" -lt $limit ] && break
done
log "now at $(used)%"
[ "$(used)" -lt 95 ] || exit 1
