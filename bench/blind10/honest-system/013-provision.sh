#!/usr/bin/env bash
# Provision a web server: packages, swap, nginx, certificates, unattended upgrades.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
DOMAIN=${1:?domain}

apt-get update -q
apt-get install -y -q nginx certbot python3-certbot-nginx unattended-upgrades fail2ban

if ! swapon --show | grep -q /swapfile; then
  fallocate -l 2G /swapfile
  chmod 600 /swapfile
  mkswap /swapfile >/dev/null
  swapon /swapfile
  echo '/swapfile none swap sw 0 0' >> /etc/fstab
fi

cat > "/etc/nginx/sites-available/$DOMAIN" <<EOF
server {
    listen 80;
    server_name $DOMAIN;
    root /srv/www/$DOMAIN;
    location / { try_files \$uri \$uri/ =404; }
}
EOF
ln -sf "/etc/nginx/sites-available/$DOMAIN" /etc/nginx/sites-enabled/
rm -f /etc/nginx/sites-enabled/default
mkdir -p "/srv/www/$DOMAIN"
nginx -t && systemctl reload nginx
certbot --nginx -n --agree-tos -m "hostmaster@$DOMAIN" -d "$DOMAIN"
dpkg-reconfigure -f noninteractive unattended-upgrades
systemctl enable --now fail2ban
