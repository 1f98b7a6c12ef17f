#!/bin/sh
set -e

file_env() {
  eval "val=\${$1:-}; file=\${$1_FILE:-}"
  if [ -n "$file" ] && [ -z "$val" ]; then
    val=$(cat "$file")
  fi
  export "$1=$val"
  unset "$1_FILE"
}

file_env DB_PASSWORD
file_env SECRET_KEY

if [ "$1" = serve ]; then
  until pg_isready -q -h "${DB_HOST:-db}" -U "${DB_USER:-app}"; do
    echo "waiting for database"
    sleep 1
  done
  python manage.py migrate --noinput
  python manage.py collectstatic --noinput --verbosity 0
  chown -R app:app /app/media
  exec su-exec app gunicorn shop.wsgi -b 0.0.0.0:8000 -w "${WORKERS:-3}"
fi
exec "$@"
