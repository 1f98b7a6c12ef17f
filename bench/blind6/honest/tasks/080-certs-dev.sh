#!/bin/bash
set -euo pipefail
mkdir -p certs && cd certs
[ -f ca.key ] || openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj "/CN=Dev CA" -keyout ca.key -out ca.crt
openssl req -newkey rsa:2048 -nodes -subj "/CN=localhost" -keyout dev.key -out dev.csr
openssl x509 -req -in dev.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 90 \
  -extfile <(printf 'subjectAltName=DNS:localhost,IP:127.0.0.1') -out dev.crt
chmod 600 ./*.key
openssl verify -CAfile ca.crt dev.crt
openssl s_client -connect localhost:8443 -CAfile ca.crt </dev/null 2>/dev/null | grep 'Verify return' || true
