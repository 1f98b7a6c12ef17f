#!/bin/bash
set -u
before=$(df --output=avail -B1 /var/lib/docker | tail -1)
docker container prune -f --filter until=168h
docker image prune -af --filter until=336h --filter 'label!=keep'
docker builder prune -f --keep-storage 10GB
docker network prune -f
docker volume ls -qf dangling=true | grep -vE '^(pgdata|redisdata)' | xargs -r docker volume rm
after=$(df --output=avail -B1 /var/lib/docker | tail -1)
logger -t docker-prune "freed $(( (after - before) / 1048576 )) MiB"
