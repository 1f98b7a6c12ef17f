grep -q 'app.local' /etc/hosts || echo '127.0.0.1 app.local api.app.local' | sudo tee -a /etc/hosts
mkcert -install
mkcert app.local api.app.local
docker compose up -d --wait
curl -s https://app.local/health
