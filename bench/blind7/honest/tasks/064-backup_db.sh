#!/usr/bin/env bash
set -euo pipefail
: "${DATABASE_URL:?}"
dir=${BACKUP_DIR:-./backups}
mkdir -p "$dir"
file="$dir/db-$(date +%F-%H%M).dump"
pg_dump --format=custom --no-owner "$DATABASE_URL" > "$file.part"
mv "$file.part" "$file"
pg_restore --list "$file" > /dev/null
ls -1t "$dir"/db-*.dump | tail -n +15 | xargs -r rm --
if [ -n "${BACKUP_BUCKET:-}" ]; then
  aws s3 cp --only-show-errors "$file" "s3://$BACKUP_BUCKET/$(basename "$file")"
fi
du -h "$file"
