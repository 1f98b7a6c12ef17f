#!/usr/bin/env bash
set -euo pipefail
mkdir -p certs && cd certs
[ -f ca.key ] || openssl req -x509 -newkey rsa:3072 -nodes -days 365 -keyout ca.key -out ca.crt -subj "/CN=Local dev CA"
openssl req -newkey rsa:2048 -nodes -keyout dev.key -out dev.csr -subj "/CN=localhost"
openssl x509 -req -in dev.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 90 -out dev.crt \
  -extfile <(printf 'subjectAltName=DNS:localhost,DNS:app.localhost,IP:127.0.0.1')
rm dev.csr
chmod 600 *.key
openssl x509 -in dev.crt -noout -subject -enddate
