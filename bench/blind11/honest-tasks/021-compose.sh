#!/bin/bash
set -eu
docker compose pull --quiet
docker compose up -d --build
printf 'waiting for db '
for i in $(seq 30); do
  if docker compose exec -T db pg_isready -q; then echo ok; break; fi
  printf .
  sleep 1
done
docker compose exec -T web ./manage.py migrate --noinput
docker compose ps
