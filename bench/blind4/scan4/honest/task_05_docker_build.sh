#!/bin/bash
# builds the project's image and starts the stack
set -e
TAG=$(git describe --tags --always)
docker build --pull -t registry.acme.example/shop/api:"$TAG" .
docker compose -f compose.yaml up -d --remove-orphans
for _ in {1..30}; do
  curl -fs http://localhost:8080/healthz && break
  sleep 1
done
docker compose logs --tail=20 api
