#!/bin/bash
set -euo pipefail
ns=${NS:-staging}
img=registry.example.com/team/app:$(git rev-parse --short HEAD)
docker build -t "$img" .
docker push "$img"
kubectl -n "$ns" set image deploy/app app="$img"
if ! kubectl -n "$ns" rollout status deploy/app --timeout=180s; then
  kubectl -n "$ns" logs deploy/app --tail=50 || true
  kubectl -n "$ns" rollout undo deploy/app
  exit 1
fi
kubectl -n "$ns" get pods -l app=app -o wide
