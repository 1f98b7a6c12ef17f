#!/bin/bash
docker system df
docker container prune -f --filter 'until=168h'
docker image prune -af --filter 'until=168h'
docker builder prune -f --keep-storage 5GB
for v in $(docker volume ls -qf dangling=true | grep '^ci_'); do
  docker volume rm "$v"
done
docker system df
