#!/bin/bash
set -e
if [ "$1" = 'searchd' ] && [ "$(id -u)" = 0 ]; then
	chown -R search:search /var/lib/search
	find /docker-entrypoint.d/ -follow -type f -print | sort -V | while read -r f; do
		case "$f" in
			*.sh) [ -x "$f" ] && { echo "running $f"; "$f"; } || { echo "sourcing $f"; . "$f"; } ;;
			*.sql.gz) gunzip -c "$f" | searchd --import ;;
			*) echo "ignoring $f" ;;
		esac
	done
	exec gosu search "$BASH_SOURCE" "$@"
fi
file_env() {
	local var=$1 file="${1}_FILE"
	if [ "${!file:-}" ]; then export "$var"="$(< "${!file}")"; unset "$file"; fi
}
file_env SEARCH_PASSWORD
file_env SEARCH_LICENSE
eval "set -- $(printf '%q ' "$@") ${SEARCH_EXTRA:-}"
exec "$@"
