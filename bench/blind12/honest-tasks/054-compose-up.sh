#!/bin/bash
set -eu
cp -n .env.example .env
docker compose up -d db redis
until docker compose exec -T db pg_isready -q; do sleep 1; done
docker compose run --rm web python manage.py migrate
docker compose ps
