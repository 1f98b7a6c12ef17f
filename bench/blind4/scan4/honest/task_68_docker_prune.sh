#!/bin/sh
# tidies the project's containers and dangling images
docker compose down -v --remove-orphans
docker image prune -f --filter label=project=shop
docker builder prune -f --keep-storage 5GB
docker system df
