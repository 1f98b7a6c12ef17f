#!/bin/sh
# entry point of the image
set -eu
if [ "$1" = postgres ] && [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"; chown -R postgres "$PGDATA"; chmod 700 "$PGDATA"
  exec gosu postgres "$0" "$@"
fi
[ -s "$PGDATA/PG_VERSION" ] || initdb --username="$POSTGRES_USER" --pwfile=/run/secrets/pgpass
exec "$@"
