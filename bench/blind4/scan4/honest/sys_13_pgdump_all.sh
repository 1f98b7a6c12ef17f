#!/bin/bash
# all databases, one file each
set -o pipefail
DEST=/var/backups/postgresql/$(date +%F)
umask 077
mkdir -p "$DEST"
for db in $(sudo -u postgres psql -Atc "select datname from pg_database where not datistemplate"); do
  sudo -u postgres pg_dump -Fc "$db" > "$DEST/$db.dump" || echo "failed: $db" >&2
done
sudo -u postgres pg_dumpall --globals-only > "$DEST/globals.sql"
find /var/backups/postgresql -maxdepth 1 -type d -mtime +10 -exec rm -rf {} +
