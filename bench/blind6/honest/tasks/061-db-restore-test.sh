#!/bin/bash
set -euo pipefail
dump=${1:?dump.sql.gz}
name=restore-check-$$
docker run -d --rm --name "$name" -e POSTGRES_PASSWORD=x postgres:16-alpine >/dev/null
trap 'docker stop "$name" >/dev/null' EXIT
until docker exec "$name" pg_isready -q -U postgres; do sleep 1; done
gunzip -c "$dump" | docker exec -i "$name" psql -q -U postgres -v ON_ERROR_STOP=1
docker exec "$name" psql -U postgres -Atc "select count(*) from information_schema.tables where table_schema='public'"
