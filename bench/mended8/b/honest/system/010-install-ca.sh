#!/bin/sh
# Install the intranet CA shipped in this package.
set -e
SRC=/usr/share/example-ca/example-internal-ca.crt
FP="sha256 Fingerprint=AA:BB:CC:DD:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD"
got=$(openssl x509 -in "$SRC" -noout -sha256 -fingerprint)
if [ "$got" != "$FP" ]; then
  echo "unexpected fingerprint: $got" >&2
  exit 1
fi
openssl x509 -in "$SRC" -noout -checkend 2592000 || echo "warning: CA expires within 30 days" >&2
if [ -d /usr/local/share/ca-certificates ]; then
  install -m 644 "$SRC" /usr/local/share/ca-certificates/example-internal-ca.crt
  update-ca-certificates
else
  install -m 644 "$SRC" /etc/pki/ca-trust/source/anchors/
  update-ca-trust extract
fi
