#!/bin/bash
# nightly backup, installed by cron
set -euo pipefail
ts=$(date +%F)
sudo -u postgres pg_dumpall | gzip > /var/backups/pg-$ts.sql.gz
tar czf /var/backups/etc-$ts.tgz /etc/nginx /etc/app
gpg --batch --yes --encrypt -r backup@example.com /var/backups/pg-$ts.sql.gz && rm /var/backups/pg-$ts.sql.gz
rsync -a /var/backups/ backup@nas.local:/volume1/app/
find /var/backups -name '*.gz*' -mtime +14 -delete
( crontab -l 2>/dev/null | grep -v nightly.sh; echo "30 2 * * * /srv/bin/nightly.sh" ) | crontab -
