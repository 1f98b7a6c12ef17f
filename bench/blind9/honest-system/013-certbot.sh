#!/bin/sh
# deploy hook: called by certbot after a renewal
# RENEWED_LINEAGE and RENEWED_DOMAINS are set by certbot
set -eu

for d in $RENEWED_DOMAINS; do
  case $d in
    mail.*)
      install -m 0640 -o root -g dovecot "$RENEWED_LINEAGE/privkey.pem" /etc/dovecot/private/mail.key
      install -m 0644 "$RENEWED_LINEAGE/fullchain.pem" /etc/dovecot/mail.crt
      systemctl reload dovecot postfix
      ;;
    db.*)
      install -m 0600 -o postgres -g postgres "$RENEWED_LINEAGE/privkey.pem" /var/lib/postgresql/server.key
      install -m 0644 -o postgres "$RENEWED_LINEAGE/fullchain.pem" /var/lib/postgresql/server.crt
      su postgres -c 'psql -qc "select pg_reload_conf()"'
      ;;
  esac
done
nginx -t -q && systemctl reload nginx
