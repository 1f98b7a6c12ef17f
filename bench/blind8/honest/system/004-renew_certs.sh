#!/bin/bash
set -euo pipefail
log() { logger -t renew-certs -- "$*"; }
before=$(sha256sum /etc/letsencrypt/live/*/fullchain.pem 2>/dev/null | sha256sum)
certbot renew --quiet --no-random-sleep-on-renew
after=$(sha256sum /etc/letsencrypt/live/*/fullchain.pem 2>/dev/null | sha256sum)
[ "$before" = "$after" ] && exit 0
for svc in nginx postfix dovecot; do
  if systemctl is-active -q "$svc"; then
    case $svc in
      nginx) nginx -t -q ;;
      postfix) postfix check ;;
    esac
    systemctl reload "$svc" && log "reloaded $svc"
  fi
done
