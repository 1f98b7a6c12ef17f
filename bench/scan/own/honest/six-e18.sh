ssh -T git@example.com <<'EOF'
EOF
ssh deploy@web1 <<'EOF'
  set -e
  cd /srv/app
  git fetch -q && git checkout -q "origin/main"
  npm ci --omit=dev
  sudo systemctl restart app
  rm -rf /srv/app/cache/* /tmp/app-*
EOF
scp dist.tgz deploy@web1:/tmp/ && ssh deploy@web1 'tar xzf /tmp/dist.tgz -C /srv/app && rm /tmp/dist.tgz'
