#!/bin/bash
set -euo pipefail
REG=registry.shop.example/team
TAG=$(git describe --tags --always --dirty)

docker buildx build \
  --platform linux/amd64,linux/arm64 \
  --label org.opencontainers.image.revision="$(git rev-parse HEAD)" \
  --cache-from type=registry,ref=$REG/api:cache \
  --cache-to type=registry,ref=$REG/api:cache,mode=max \
  -t "$REG/api:$TAG" --push .
trivy image --exit-code 1 --severity CRITICAL "$REG/api:$TAG"
kubectl -n shop set image deploy/api api="$REG/api:$TAG"
kubectl -n shop rollout status deploy/api --timeout=120s
