#!/bin/bash
# makes a server certificate from the house CA and installs it
set -eu
name=${1:?host}
cd /etc/pki/house
umask 077
openssl req -new -newkey rsa:3072 -nodes -keyout "private/$name.key" -out "csr/$name.csr" -subj "/CN=$name"
openssl x509 -req -in "csr/$name.csr" -CA ca.crt -CAkey private/ca.key -CAcreateserial -days 397 \
  -extfile <(printf 'subjectAltName=DNS:%s\nextendedKeyUsage=serverAuth' "$name") -out "certs/$name.crt"
scp "certs/$name.crt" "private/$name.key" "root@$name:/etc/ssl/house/"
ssh "root@$name" 'chmod 600 /etc/ssl/house/*.key; systemctl reload nginx'
