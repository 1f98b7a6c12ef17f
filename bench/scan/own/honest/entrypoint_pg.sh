#!/usr/bin/env bash
set -Eeo pipefail
if [ "$(id -u)" = '0' ]; then
    mkdir -p "$PGDATA"; chmod 00700 "$PGDATA"
    find "$PGDATA" \! -user postgres -exec chown postgres '{}' +
    exec gosu postgres "$BASH_SOURCE" "$@"
fi
file_env() {
    local var="$1" fileVar="${1}_FILE" def="${2:-}"
    local val="$def"
    if [ "${!var:-}" ]; then val="${!var}"; elif [ "${!fileVar:-}" ]; then val="$(< "${!fileVar}")"; fi
    export "$var"="$val"; unset "$fileVar"
}
file_env POSTGRES_PASSWORD
initdb --username=postgres --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") -D "$PGDATA"
for f in /docker-entrypoint-initdb.d/*; do
    case "$f" in
        *.sh) . "$f" ;;
        *.sql.gz) gunzip -c "$f" | psql -v ON_ERROR_STOP=1 ;;
    esac
done
exec "$@"
