#!/bin/bash
set -euo pipefail
. ./.env
OUT=backups
mkdir -p "$OUT"
f="$OUT/${DB_NAME}_$(date +%F).sql.gz"
PGPASSWORD=$DB_PASSWORD pg_dump -h "${DB_HOST:-localhost}" -U "$DB_USER" --no-owner "$DB_NAME" | gzip > "$f.tmp"
mv "$f.tmp" "$f"
ls -1t "$OUT"/*.sql.gz | tail -n +8 | xargs -r rm --
gzip -t "$f" && ls -lh "$f"
