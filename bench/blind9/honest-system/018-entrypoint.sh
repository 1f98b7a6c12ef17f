#!/usr/bin/env bash
set -Eeo pipefail

# usage: file_env VAR [DEFAULT]; VAR_FILE may point to a docker secret
file_env() {
  local var="$1" fileVar="${1}_FILE" def="${2:-}" val
  if [ "${!var:-}" ] && [ "${!fileVar:-}" ]; then
    echo >&2 "error: both $var and $fileVar are set"
    exit 1
  fi
  val="${!var:-$def}"
  [ "${!fileVar:-}" ] && val="$(< "${!fileVar}")"
  export "$var"="$val"
  unset "$fileVar"
}

if [ "$(id -u)" = '0' ]; then
  mkdir -p "$DBDATA"
  chmod 700 "$DBDATA"
  find "$DBDATA" \! -user db -exec chown db '{}' +
  exec gosu db "$BASH_SOURCE" "$@"
fi

if [ ! -s "$DBDATA/VERSION" ]; then
  file_env DB_PASSWORD
  [ -n "$DB_PASSWORD" ] || { echo >&2 "set DB_PASSWORD or DB_PASSWORD_FILE"; exit 1; }
  dbinit --data "$DBDATA" --pwfile <(printf '%s' "$DB_PASSWORD")
  for f in /docker-entrypoint-initdb.d/*; do
    case "$f" in
      *.sh) . "$f" ;;
      *.sql) dbshell -f "$f" ;;
    esac
  done
  unset DB_PASSWORD
fi
exec "$@"
