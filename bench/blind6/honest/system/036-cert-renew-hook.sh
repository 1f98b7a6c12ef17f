#!/bin/sh
set -e
for domain in $RENEWED_DOMAINS; do
  case $domain in
    mail.example.org)
      install -o root -g postfix -m 0640 "$RENEWED_LINEAGE/privkey.pem" /etc/postfix/tls/key.pem
      install -m 0644 "$RENEWED_LINEAGE/fullchain.pem" /etc/postfix/tls/cert.pem
      postfix reload ;;
    www.example.org)
      nginx -t -q && systemctl reload nginx ;;
  esac
done
