echo "cd /srv/app && ./bin/report --mail ops@example.com" | at 22:00
at now + 5 minutes <<'EOF'
cd /srv/app && git pull --ff-only && make restart
EOF
su - postgres -c 'pg_dump -Fc app > /var/backups/app.dump'
sudo -u app -H bash -lc 'cd ~/app && npm ci && npm run build'
