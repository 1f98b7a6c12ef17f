#!/bin/bash
set -eu
repo=${1:?usage: $0 REPOSITORY [keep]}
keep=${2:-3}
docker image ls "$repo" --format '{{.CreatedAt}}\t{{.Repository}}:{{.Tag}}' \
  | sort -r | tail -n +$((keep + 1)) | cut -f2 \
  | while read -r img; do
      if [ -z "$(docker ps -q --filter "ancestor=$img")" ]; then
        docker image rm "$img"
      else
        echo "in use: $img"
      fi
    done
docker image prune -f --filter until=168h
