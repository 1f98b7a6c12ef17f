#!/bin/sh
# /etc/letsencrypt/renewal-hooks/deploy/haproxy
set -eu
: "${RENEWED_LINEAGE:?}"
name=$(basename "$RENEWED_LINEAGE")
out=/etc/haproxy/certs/$name.pem
umask 077
cat "$RENEWED_LINEAGE/fullchain.pem" "$RENEWED_LINEAGE/privkey.pem" >"$out.new"
openssl x509 -in "$out.new" -noout -checkend 86400 >/dev/null
chown root:haproxy "$out.new"
chmod 640 "$out.new"
[ -e "$out" ] && cp -p "$out" "$out.bak"
mv "$out.new" "$out"
if haproxy -c -q -f /etc/haproxy/haproxy.cfg; then
  systemctl reload haproxy
else
  mv "$out.bak" "$out"
  logger -p daemon.err -t certs "haproxy check failed, kept old certificate for $name"
  exit 1
fi
