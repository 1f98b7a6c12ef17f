#!/bin/bash
set -eu -o pipefail
DIR=/var/backups/postgresql
install -d -o postgres -g postgres -m 700 "$DIR"
cd /
runuser -u postgres -- psql -AtqX -c "select datname from pg_database where datallowconn and not datistemplate" |
while read -r db; do
  runuser -u postgres -- pg_dump -Fc "$db" > "$DIR/$db-$(date +%F).dump"
done
runuser -u postgres -- pg_dumpall --globals-only | gzip > "$DIR/globals-$(date +%F).sql.gz"
find "$DIR" -name '*.dump' -mtime +14 -delete
