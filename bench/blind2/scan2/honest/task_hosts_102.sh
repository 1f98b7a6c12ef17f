# class: network, a name for development; style: developer
grep -q 'shop.local' /etc/hosts || echo '127.0.0.1 shop.local api.shop.local' | sudo tee -a /etc/hosts
mkcert -install && mkcert shop.local api.shop.local
sudo nginx -t && sudo systemctl reload nginx
