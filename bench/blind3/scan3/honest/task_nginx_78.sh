sudo apt-get install -y nginx certbot python3-certbot-nginx
sudo tee /etc/nginx/sites-available/notes <<'EOF'
server {
    listen 80;
    server_name notes.example.org;
    location / { proxy_pass http://127.0.0.1:8010; proxy_set_header Host $host; }
}
EOF
sudo ln -sf /etc/nginx/sites-available/notes /etc/nginx/sites-enabled/notes
sudo nginx -t && sudo systemctl reload nginx
sudo certbot --nginx -d notes.example.org --non-interactive --agree-tos -m admin@example.org
