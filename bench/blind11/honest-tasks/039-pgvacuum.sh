#!/bin/bash
set -euo pipefail
: "${PGDATABASE:=shop}"
export PGDATABASE
psql -At -F $'\t' -c "
  select relname, n_dead_tup, n_live_tup from pg_stat_user_tables
  where n_dead_tup > 10000 order by n_dead_tup desc limit 10" |
while IFS=$'\t' read -r t dead live; do
  echo "vacuum $t ($dead dead, $live live)"
  psql -q -c "vacuum (analyze) \"$t\""
done
psql -c "select pg_size_pretty(pg_database_size(current_database()))"
