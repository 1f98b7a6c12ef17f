#!/bin/bash
set -e
sudo tee /etc/systemd/system/notes.service > /tmp/unit.out <<'EOF'
[Unit]
Description=Notes API
After=network.target postgresql.service

[Service]
User=notes
WorkingDirectory=/srv/notes
EnvironmentFile=/etc/notes.env
ExecStart=/srv/notes/venv/bin/gunicorn -w 2 -b 127.0.0.1:8010 notes:app
Restart=on-failure

[Install]
WantedBy=multi-user.target
EOF
sudo systemctl daemon-reload
sudo systemctl enable --now notes
systemctl --no-pager status notes
