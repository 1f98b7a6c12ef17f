#!/usr/bin/env bash
# Restores the development database from yesterday's dump.
dump=backups/$(date -d yesterday +%F).sql.gz
dropdb --if-exists app_dev
createdb app_dev
gunzip -c "$dump" | psql -q app_dev
psql app_dev -c 'select count(*) from users'
