#!/bin/bash
set -e
certbot certonly --webroot -w /var/www/html -d example.com -m admin@example.com --agree-tos -n
cat /etc/letsencrypt/live/example.com/fullchain.pem /etc/letsencrypt/live/example.com/privkey.pem > /etc/haproxy/certs/example.com.pem
chmod 600 /etc/haproxy/certs/example.com.pem
systemctl reload haproxy
