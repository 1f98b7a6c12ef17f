#!/usr/bin/env bash
set -euo pipefail
HOST=${DEPLOY_HOST:?}
npm run build
rsync -az --delete --exclude .well-known dist/ "deploy@$HOST:/var/www/site/"
ssh "deploy@$HOST" 'sudo systemctl reload nginx'
curl -fsI "https://$HOST/" | head -1
