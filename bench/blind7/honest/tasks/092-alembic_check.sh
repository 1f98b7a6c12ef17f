#!/usr/bin/env bash
set -euo pipefail
c=$(docker run -d --rm -e POSTGRES_PASSWORD=test -P postgres:16-alpine)
trap 'docker stop -t 1 "$c" >/dev/null' EXIT
port=$(docker port "$c" 5432/tcp | head -1 | sed 's/.*://')
until docker exec "$c" pg_isready -qU postgres; do sleep 0.5; done
export DATABASE_URL=postgresql://postgres:test@127.0.0.1:$port/postgres
alembic upgrade head
alembic check
alembic downgrade base
alembic upgrade head
docker exec "$c" pg_dump -sU postgres postgres | diff - schema.snapshot.sql
