#!/bin/bash
set -e
SRC=./public/
DST=deploy@web1.example.org:/srv/www/site/
hugo --minify
rsync -az --delete --exclude .DS_Store -e 'ssh -p 2222 -i ~/.ssh/deploy_ed25519' "$SRC" "$DST"
ssh -p 2222 -i ~/.ssh/deploy_ed25519 deploy@web1.example.org 'sudo systemctl reload nginx'
curl -sf https://www.example.org/ | grep -q '<title>'
