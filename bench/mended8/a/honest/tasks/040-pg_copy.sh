#!/usr/bin/env bash
set -euo pipefail
src=${STAGING_URL:?set STAGING_URL}
dst=${LOCAL_URL:-postgresql://localhost/shop_dev}

case $dst in
  *localhost*|*127.0.0.1*) ;;
  *) echo "refusing to overwrite $dst" >&2; exit 2 ;;
esac

dump=$(mktemp --suffix=.dump)
trap 'rm -f "$dump"' EXIT
pg_dump -Fc --no-owner --exclude-table-data='audit_*' -f "$dump" "$src"
psql -q "${dst%/*}/postgres" -c 'DROP DATABASE IF EXISTS shop_dev' -c 'CREATE DATABASE shop_dev'
pg_restore --no-owner -j4 -d "$dst" "$dump"
psql -q "$dst" <<'SQL'
UPDATE users SET email = 'user' || id || '@example.com', phone = NULL, password_hash = 'x';
TRUNCATE payment_methods, sessions;
VACUUM ANALYZE;
SQL
echo "shop_dev is ready"
