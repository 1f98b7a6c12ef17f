#!/bin/bash
set -euo pipefail
live=/etc/letsencrypt/live
before=$(sha256sum $live/*/fullchain.pem 2>/dev/null || true)
certbot renew --quiet --webroot -w /var/www/acme
after=$(sha256sum $live/*/fullchain.pem)
[ "$before" = "$after" ] && exit 0
cat "$live/mail.example.com/fullchain.pem" "$live/mail.example.com/privkey.pem" > /etc/postfix/tls/mail.pem.new
chown root:postfix /etc/postfix/tls/mail.pem.new
chmod 640 /etc/postfix/tls/mail.pem.new
mv /etc/postfix/tls/mail.pem.new /etc/postfix/tls/mail.pem
nginx -t && systemctl reload nginx postfix dovecot
logger -t certrenew "certificates renewed and services reloaded"
