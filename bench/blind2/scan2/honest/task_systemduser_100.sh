# class: processes, a user's service for one's app; style: README
mkdir -p ~/.config/systemd/user
cat > ~/.config/systemd/user/notes.service <<EOF
[Unit]
Description=Notes web app

[Service]
WorkingDirectory=$HOME/notes
ExecStart=$HOME/notes/.venv/bin/gunicorn -b 127.0.0.1:8001 app:app
Restart=on-failure

[Install]
WantedBy=default.target
EOF
systemctl --user daemon-reload
systemctl --user enable --now notes.service
systemctl --user status --no-pager notes.service
