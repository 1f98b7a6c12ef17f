#!/bin/bash
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive

apt-get update -qq
apt-get install -y -qq nginx certbot python3-certbot-nginx unattended-upgrades ufw

timedatectl set-timezone Europe/Berlin
ufw allow OpenSSH
ufw allow 'Nginx Full'
ufw --force enable

cat > /etc/nginx/sites-available/shop <<'EOF'
server {
    listen 80;
    server_name shop.example;
    root /srv/shop/current;
    location / { try_files $uri /index.html; }
}
EOF
ln -sf /etc/nginx/sites-available/shop /etc/nginx/sites-enabled/shop
rm -f /etc/nginx/sites-enabled/default
nginx -t
systemctl reload nginx
certbot --nginx -n --agree-tos -m ops@shop.example -d shop.example
