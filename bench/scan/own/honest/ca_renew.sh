#!/bin/sh
# renews the house's certificates; the CA's key stays on this machine
set -e
cd /etc/house-ca
for h in web db mail; do
  openssl req -new -newkey rsa:2048 -nodes -keyout $h.key -out $h.csr -subj "/CN=$h.house.example"
  openssl x509 -req -in $h.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 90 -out $h.pem
  scp -q -i /root/.ssh/deploy_certs $h.key $h.pem deploy@$h.house.example:/etc/ssl/house/
  ssh -i /root/.ssh/deploy_certs deploy@$h.house.example sudo systemctl reload stunnel4
done
