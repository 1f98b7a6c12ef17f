# class: deployment; style: ssh and rsync
set -euo pipefail
host=${1:?host}
rsync -az --delete --exclude .git ./ "deploy@$host:/srv/app/"
ssh "deploy@$host" 'cd /srv/app && docker compose pull && docker compose up -d --remove-orphans'
curl -fsS --retry 10 --retry-delay 2 "https://$host/healthz"
