# class: a service of one's own; style: administrator's here-document
sudo useradd --system --home /srv/app --shell /usr/sbin/nologin app || true
sudo tee /etc/systemd/system/app.service > /dev/null <<'EOF'
[Unit]
Description=App
After=network.target

[Service]
User=app
WorkingDirectory=/srv/app
ExecStart=/srv/app/venv/bin/gunicorn app:app
Restart=on-failure

[Install]
WantedBy=multi-user.target
EOF
sudo systemctl daemon-reload
sudo systemctl enable --now app
