#!/usr/bin/env bash
set -euo pipefail
image=${IMAGE:-registry.example.com/team/api}
tag=$(git describe --tags --always --dirty)

echo "$REGISTRY_PASSWORD" | docker login -u "$REGISTRY_USER" --password-stdin "${image%%/*}"
docker buildx build \
  --platform linux/amd64,linux/arm64 \
  --build-arg "VERSION=$tag" \
  --cache-from "type=registry,ref=$image:cache" \
  --cache-to "type=registry,ref=$image:cache,mode=max" \
  -t "$image:$tag" -t "$image:latest" --push .
trivy image --exit-code 1 --severity HIGH,CRITICAL "$image:$tag"
docker logout "${image%%/*}"
