#!/usr/bin/env bash
set -euo pipefail
env=${1:?staging|production}
vals=$(mktemp --suffix .yaml); trap 'rm -f "$vals"' EXIT
cat > "$vals" <<EOF
image:
  tag: "${GIT_SHA:0:12}"
replicas: $([ "$env" = production ] && echo 4 || echo 1)
ingress:
  host: ${env}.app.example.com
env:
  LOG_LEVEL: $([ "$env" = production ] && echo info || echo debug)
secretRef: app-$env
EOF
helm lint chart -f "$vals"
helm upgrade --install app chart -n "$env" --create-namespace -f "$vals" --atomic --timeout 5m
kubectl -n "$env" rollout status deploy/app
