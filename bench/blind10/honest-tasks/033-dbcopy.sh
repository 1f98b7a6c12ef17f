#!/bin/bash
# refresh staging from last night's dump, strip personal data
set -euo pipefail
DUMP=$(ls -1t /srv/backup/pg/shop-*.dump | head -n1)
DB=shop_staging
read -rp "Replace $DB with $(basename "$DUMP")? [y/N] " a
[[ $a == y ]] || exit 0

dropdb --if-exists "$DB"
createdb -O shop "$DB"
pg_restore -d "$DB" --no-owner -j 4 "$DUMP"
psql -v ON_ERROR_STOP=1 -d "$DB" <<'SQL'
UPDATE customer SET email = 'c' || id || '@staging.example', phone = NULL, name = 'Customer ' || id;
TRUNCATE payment_token, session;
ANALYZE;
SQL
echo "done: $(psql -Atd "$DB" -c 'select count(*) from customer') customers"
