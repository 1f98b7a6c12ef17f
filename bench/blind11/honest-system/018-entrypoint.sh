#!/bin/sh
set -e
if [ "$(id -u)" = 0 ]; then
    chown -R app:app /data
    exec su-exec app "$0" "$@"
fi
if [ -n "$DB_PASSWORD_FILE" ]; then
    DB_PASSWORD=$(cat "$DB_PASSWORD_FILE")
    export DB_PASSWORD
fi
until nc -z "${DB_HOST:-db}" 5432; do
    echo "waiting for database"
    sleep 1
done
[ "$1" = serve ] && ./manage migrate
exec ./manage "$@"
