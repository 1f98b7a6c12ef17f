#!/bin/bash
# cron: 15 3 * * 0 postgres /usr/local/sbin/dbmaint.sh
set -uo pipefail
[ "$(id -un)" = postgres ] || { echo "run as postgres" >&2; exit 1; }

psql -Atqc "select datname from pg_database where datallowconn and datname <> 'template1'" |
while read -r db; do
  echo "== $db"
  vacuumdb --analyze --quiet "$db"
  psql -d "$db" -Atqc "
    select format('%s.%s dead %s', schemaname, relname, n_dead_tup)
    from pg_stat_user_tables where n_dead_tup > 100000 order by n_dead_tup desc limit 5"
  psql -d "$db" -Atqc "
    select 'unused index ' || indexrelid::regclass || ' ' || pg_size_pretty(pg_relation_size(indexrelid))
    from pg_stat_user_indexes where idx_scan = 0 and pg_relation_size(indexrelid) > 50*1024*1024"
done
find /var/lib/postgresql/dumps -name '*.dump' -mtime +21 -delete
