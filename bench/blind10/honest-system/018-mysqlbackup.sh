#!/bin/bash
# nightly mysql dump, encrypted for the backup key, copied to the vault host
set -euo pipefail
umask 077
DAY=$(date +%u)
DIR=/var/backups/mysql
mkdir -p "$DIR"

for db in $(mysql --defaults-file=/etc/mysql/debian.cnf -NBe 'show databases' | grep -vE '^(information|performance)_schema$|^sys$'); do
  mysqldump --defaults-file=/etc/mysql/debian.cnf --single-transaction --routines "$db" |
    zstd -q | gpg --batch --yes --encrypt -r backup@bank.example -o "$DIR/$db.$DAY.sql.zst.gpg"
done
rsync -a -e 'ssh -i /etc/backup/id_ed25519 -o StrictHostKeyChecking=yes' "$DIR/" "backup@vault.bank.example:mysql/$(hostname -s)/"
curl -fsS -m 10 "https://checks.bank.example/ping/mysql-$(hostname -s)" >/dev/null
