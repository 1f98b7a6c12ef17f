#!/usr/bin/env bash
# Refresh staging from production, with personal data removed.
set -euo pipefail
: "${PROD_URL:?}" "${STAGING_URL:?}"

case $STAGING_URL in *staging*) ;; *) echo "this does not look like staging" >&2; exit 1 ;; esac

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

pg_dump --format=custom --no-owner --exclude-table-data='audit_*' "$PROD_URL" > "$tmp/prod.dump"
psql "$STAGING_URL" -qc 'drop schema public cascade; create schema public;'
pg_restore --no-owner --dbname="$STAGING_URL" --jobs=4 "$tmp/prod.dump"

psql "$STAGING_URL" -q <<'SQL'
begin;
update users set email = 'user' || id || '@mail.example', phone = null, password_hash = 'x';
truncate sessions, api_tokens;
commit;
analyze;
SQL
psql "$STAGING_URL" -Atc 'select count(*) from users'
