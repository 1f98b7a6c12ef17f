set -e
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y nginx certbot python3-certbot-nginx ufw
ufw allow OpenSSH; ufw allow 'Nginx Full'; ufw --force enable
certbot --nginx -n --agree-tos -m admin@acme.example -d www.acme.example
