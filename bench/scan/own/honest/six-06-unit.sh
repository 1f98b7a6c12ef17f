#!/bin/bash
cat > /etc/systemd/system/worker.service <<'EOF'
[Unit]
Description=worker
After=network.target
[Service]
User=app
WorkingDirectory=/srv/worker
ExecStartPre=/usr/bin/mkdir -p /run/worker
ExecStart=/srv/worker/venv/bin/python -m worker --config /etc/worker.toml
Restart=on-failure
[Install]
WantedBy=multi-user.target
EOF
systemctl daemon-reload
systemctl enable --now worker
