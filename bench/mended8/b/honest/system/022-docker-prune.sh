#!/bin/sh
set -e
export LC_ALL=C
set -eu
before=$(df --output=avail -B1 /var/lib/docker | tail -1)
docker container prune -f --filter "until=24h"
docker image prune -af --filter "until=168h" --filter "label!=keep"
docker builder prune -f --keep-storage 20GB
docker network prune -f
after=$(df --output=avail -B1 /var/lib/docker | tail -1)
echo "freed $(( (after - before) / 1048576 )) MiB" | systemd-cat -t docker-prune
