#!/bin/sh
set -eu
file_env() {
  eval "v=\${$1:-} f=\${$1_FILE:-}"
  if [ -n "$v" ] && [ -n "$f" ]; then echo "both $1 and $1_FILE are set" >&2; exit 1; fi
  if [ -n "$f" ]; then export "$1=$(cat "$f")"; fi
  unset "$1_FILE"
}
file_env DB_PASSWORD
file_env SECRET_KEY
if [ "$(id -u)" = 0 ]; then
  chown -R app:app /data
  exec gosu app "$0" "$@"
fi
n=0
until nc -z "${DB_HOST:-db}" "${DB_PORT:-5432}"; do
  n=$((n + 1)); [ $n -lt 60 ] || { echo "no database" >&2; exit 1; }
  sleep 1
done
[ "${1:-}" = serve ] && python -m app migrate
exec "$@"
