#!/bin/bash
# /etc/cron.daily/pgdump
set -euo pipefail
umask 077
DEST=/var/backups/postgres
KEEP=14
mkdir -p "$DEST"

for db in $(sudo -u postgres psql -Atc "select datname from pg_database where not datistemplate"); do
    out="$DEST/$db-$(date +%F).dump"
    sudo -u postgres pg_dump -Fc "$db" > "$out.part"
    mv "$out.part" "$out"
done

find "$DEST" -name '*.dump' -mtime +"$KEEP" -delete
logger -t pgdump "dumps written to $DEST"
