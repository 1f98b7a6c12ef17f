#!/bin/bash
set -Eeo pipefail
file_env() {
  local var=$1 f="${1}_FILE"
  if [ -n "${!var:-}" ] && [ -n "${!f:-}" ]; then
    echo "both $var and $f are set" >&2; exit 1
  fi
  [ -n "${!f:-}" ] && export "$var"="$(<"${!f}")"
  unset "$f"
}

if [ "$1" = storedb ] && [ "$(id -u)" = 0 ]; then
  mkdir -p "$STORE_DATA"
  chmod 700 "$STORE_DATA"
  find "$STORE_DATA" \! -user store -exec chown store '{}' +
  exec gosu store "$BASH_SOURCE" "$@"
fi

if [ "$1" = storedb ] && [ ! -s "$STORE_DATA/VERSION" ]; then
  file_env STORE_PASSWORD
  : "${STORE_PASSWORD:?must be set on first start}"
  storedb init --data "$STORE_DATA" --admin-password-stdin <<<"$STORE_PASSWORD"
  for f in /docker-entrypoint-init.d/*; do
    case $f in
      *.sh) echo "running $f"; . "$f" ;;
      *.sql) echo "loading $f"; storedb sql --data "$STORE_DATA" <"$f" ;;
    esac
  done
  unset STORE_PASSWORD
fi
exec "$@"
