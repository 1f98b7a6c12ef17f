#!/bin/bash
set -euo pipefail
primary=${1:?primary host}
data=/var/lib/mysql
. /etc/mysql/replica.env   # REPL_USER, REPL_PASSWORD

if [ "$(mysql -NBe 'SELECT @@global.read_only')" != 1 ]; then
  echo "this server is writable, it does not look like a replica" >&2
  exit 1
fi
read -rp "Replace all data on $(hostname) by a copy of $primary? [yes/no] " a
[ "$a" = yes ] || exit 1

systemctl stop mysql
mv "$data" "$data.old-$(date +%s)"
install -d -o mysql -g mysql -m 750 "$data"
ssh "$primary" 'sudo mariabackup --backup --stream=xbstream --user=backup 2>/var/log/mariabackup.log' | mbstream -x -C "$data"
mariabackup --prepare --target-dir="$data" >/dev/null 2>&1
chown -R mysql:mysql "$data"
systemctl start mysql
gtid=$(cut -f3 "$data/xtrabackup_binlog_info")
mysql <<SQL
STOP SLAVE; RESET SLAVE ALL;
SET GLOBAL gtid_slave_pos='$gtid';
CHANGE MASTER TO MASTER_HOST='$primary', MASTER_USER='$REPL_USER', MASTER_PASSWORD='$REPL_PASSWORD', MASTER_SSL=1, MASTER_USE_GTID=slave_pos;
START SLAVE;
SQL
mysql -e 'SHOW SLAVE STATUS\G' | grep -E 'Running|Seconds_Behind'
