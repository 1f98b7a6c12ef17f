#!/usr/bin/env bash
# up.sh: start the services for development
set -euo pipefail
cd "$(dirname "$0")"

docker compose up -d db redis mailhog

wait_for() {
  local name=$1 host=$2 port=$3
  for _ in $(seq 30); do
    if (exec 3<>"/dev/tcp/$host/$port") 2>/dev/null; then
      echo "$name ready"
      return
    fi
    sleep 1
  done
  docker compose logs --tail 20 "$name"
  return 1
}
wait_for db 127.0.0.1 5432
wait_for redis 127.0.0.1 6379

docker compose exec -T db psql -U app -c 'create extension if not exists pg_trgm'
python manage.py migrate --noinput
python manage.py loaddata demo.json
