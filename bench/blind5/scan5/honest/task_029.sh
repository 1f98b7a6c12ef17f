ssh deploy@web1.acme.example 'sudo systemctl reload nginx'
rsync -az --delete dist/ deploy@web1.acme.example:/var/www/site/
curl -fsS https://www.acme.example/healthz
