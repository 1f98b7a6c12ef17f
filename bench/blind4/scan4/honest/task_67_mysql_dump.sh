#!/bin/bash
# dump of the application's database, older dumps go after two weeks
set -o pipefail
D=$HOME/backups/shop; mkdir -p "$D"
mysqldump --defaults-extra-file="$HOME/.my.cnf" --single-transaction shop | gzip > "$D/shop-$(date +%F).sql.gz" || { echo failed >&2; exit 1; }
find "$D" -name 'shop-*.sql.gz' -mtime +14 -delete
