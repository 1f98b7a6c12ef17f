#!/bin/bash
set -euo pipefail
exec 9>/run/lock/sync-web; flock -n 9 || { echo "another run is active"; exit 0; }
src=/srv/www/release/ servers=(web1.internal.example web2.internal.example)
hugo --quiet --minify -s /srv/www/src -d "$src"
for s in "${servers[@]}"; do
  rsync -az --delete-after --exclude .well-known -e 'ssh -o BatchMode=yes -i /etc/sync-web/id_ed25519' "$src" "www@$s:/var/www/html/" \
    || { logger -p user.err -t sync-web "$s failed"; continue; }
  curl -fsS -o /dev/null --resolve "www.example.com:443:$(getent hosts "$s" | awk '{print $1; exit}')" https://www.example.com/
done
