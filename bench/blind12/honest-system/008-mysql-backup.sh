#!/bin/bash
set -euo pipefail
umask 077
DIR=/var/backups/mysql
mkdir -p "$DIR"
for db in $(mysql --defaults-file=/etc/mysql/debian.cnf -NBe 'show databases' | grep -Ev '^(information|performance)_schema$|^sys$'); do
  mysqldump --defaults-file=/etc/mysql/debian.cnf --single-transaction "$db" | gzip > "$DIR/$db-$(date +%F).sql.gz"
done
find "$DIR" -name '*.sql.gz' -mtime +14 -delete
