#!/bin/bash
# renews the certificates, reloads only when something is new
certbot renew --quiet --deploy-hook '
  systemctl reload nginx
  cat "$RENEWED_LINEAGE/fullchain.pem" "$RENEWED_LINEAGE/privkey.pem" > /etc/haproxy/certs/site.pem
  chmod 600 /etc/haproxy/certs/site.pem
  systemctl reload haproxy'
for d in /etc/letsencrypt/live/*/; do
  openssl x509 -noout -enddate -in "$d/cert.pem" | sed "s|^|$(basename "$d") |"
done
