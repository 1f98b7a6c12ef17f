#!/bin/bash
set -e
dest=backup@nas.example.net:/volume1/web1
stamp=$(date +%F)
pg_dump -Fc app > "/var/backups/app-$stamp.dump"
tar -czf "/var/backups/etc-$stamp.tgz" /etc
rsync -a --delete /var/www/ "$dest/www/"
rsync -a /var/backups/ "$dest/db/"
find /var/backups -name '*.dump' -mtime +14 -delete
