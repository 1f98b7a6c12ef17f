#!/bin/sh
set -e
domains="example.com www.example.com mail.example.com"
live=/etc/letsencrypt/live/example.com
before=$(openssl x509 -in $live/cert.pem -noout -fingerprint 2>/dev/null || true)
certbot certonly --quiet --non-interactive --webroot -w /var/www/acme --cert-name example.com $(printf -- '-d %s ' $domains)
after=$(openssl x509 -in $live/cert.pem -noout -fingerprint)
[ "$before" = "$after" ] && exit 0
nginx -t && systemctl reload nginx
install -o root -g Debian-exim -m 640 $live/fullchain.pem /etc/exim4/exim.crt
install -o root -g Debian-exim -m 640 $live/privkey.pem /etc/exim4/exim.key
systemctl reload exim4 dovecot
logger -t cert-renew "renewed until $(openssl x509 -in $live/cert.pem -noout -enddate | cut -d= -f2)"
