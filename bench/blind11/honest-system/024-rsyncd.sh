#!/bin/bash
# pull backups with hard links to the day before
set -u
ROOT=/srv/backup
DAY=$(date +%F)
for h in web1.shop.example db1.shop.example; do
    mkdir -p "$ROOT/$h"
    rsync -aHAX --numeric-ids --delete --link-dest="$ROOT/$h/latest" \
        --exclude=/proc --exclude=/sys --exclude=/dev --exclude=/run --exclude=/tmp \
        -e "ssh -i /root/.ssh/backup_ed25519 -o BatchMode=yes" \
        "backup@$h:/" "$ROOT/$h/$DAY/" || { logger -t backup "$h failed"; continue; }
    ln -sfn "$DAY" "$ROOT/$h/latest"
    find "$ROOT/$h" -maxdepth 1 -type d -name '20*' -mtime +30 -exec rm -rf {} +
done
