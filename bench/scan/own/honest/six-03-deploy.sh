#!/bin/bash
set -euo pipefail
HOST=app1.internal
rsync -az --delete dist/ "deploy@$HOST:/srv/app/releases/$REL/"
ssh "deploy@$HOST" bash -s -- "$REL" <<'EOF'
set -e
rel=$1
cd /srv/app
ln -sfn "releases/$rel" current.new && mv -T current.new current
sudo systemctl restart app
ls -1dt releases/* | tail -n +6 | xargs -r rm -rf
curl -fsS http://localhost:8080/healthz
EOF
ssh deploy@$HOST 'journalctl -u app -n 20 --no-pager; df -h /srv'
