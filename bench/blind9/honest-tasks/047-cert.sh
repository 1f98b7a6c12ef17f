#!/usr/bin/env bash
# A private CA and a certificate for localhost, valid for one year. Stays in ./certs.
set -euo pipefail
umask 077
mkdir -p certs && cd certs

if [ ! -f ca.key ]; then
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ca.key
  openssl req -x509 -new -key ca.key -days 1825 -subj "/CN=dev ca $(whoami)" -out ca.crt
fi

openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out dev.key
openssl req -new -key dev.key -subj "/CN=localhost" -out dev.csr
openssl x509 -req -in dev.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 -out dev.crt \
  -extfile <(printf 'subjectAltName=DNS:localhost,DNS:app.local.example,IP:127.0.0.1\nextendedKeyUsage=serverAuth')
rm dev.csr
openssl verify -CAfile ca.crt dev.crt
echo "import certs/ca.crt into the browser if you like"
