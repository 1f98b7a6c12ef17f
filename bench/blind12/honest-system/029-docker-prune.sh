#!/bin/sh
set -e
docker container prune -f --filter until=72h
docker image prune -af --filter until=240h
docker system df
logger -t docker-prune "done"
