#!/bin/bash
set -euo pipefail
src=/usr/share/acme-corp/ca/corp-root.crt
want=3F:11:AA:02:90:5C:DE:77:18:42:6B:0A:99:F0:C3:5D:21:88:E4:10:6C:7A:B9:53:0E:D2:4F:61:97:3B:C8:05
got=$(openssl x509 -in "$src" -noout -fingerprint -sha256 | cut -d= -f2)
[ "$got" = "$want" ] || { echo "fingerprint does not match" >&2; exit 1; }
openssl x509 -in "$src" -noout -subject -enddate
if [ -d /usr/local/share/ca-certificates ]; then
  install -m 644 "$src" /usr/local/share/ca-certificates/corp-root.crt
  update-ca-certificates
else
  install -m 644 "$src" /etc/pki/ca-trust/source/anchors/corp-root.crt
  update-ca-trust extract
fi
