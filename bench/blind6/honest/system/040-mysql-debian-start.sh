#!/bin/bash
set -u
MYSQL="/usr/bin/mysql --defaults-file=/etc/mysql/debian.cnf"
MYADMIN="/usr/bin/mysqladmin --defaults-file=/etc/mysql/debian.cnf"
for _ in $(seq 1 30); do
  $MYADMIN ping >/dev/null 2>&1 && break
  sleep 1
done
LC_ALL=C $MYSQL --skip-column-names --batch -e "select concat('check table \`', table_schema, '\`.\`', table_name, '\` fast;') from information_schema.tables where engine in ('MyISAM','Aria')" |
  xargs -I{} sh -c "echo '{}'" | $MYSQL --force --skip-column-names --batch 2>&1 |
  grep -E -v 'OK$|Table is already up to date' | logger -p daemon.warn -i -t mysql-start || true
