#!/bin/bash
set -euo pipefail
[ "$(id -un)" = postgres ] || exec sudo -u postgres "$0" "$@"
root=/var/backups/postgresql/$(date +%F)
mkdir -p -m 700 "$root"
pg_dumpall --globals-only | gzip > "$root/globals.sql.gz"
psql -Atqc "select datname from pg_database where datallowconn and datname <> 'template1'" | while read -r db; do
  pg_dump -Fc -Z6 -f "$root/$db.dump" "$db"
  pg_restore -l "$root/$db.dump" >/dev/null
done
find /var/backups/postgresql -mindepth 1 -maxdepth 1 -type d -mtime +21 -exec rm -r {} +
