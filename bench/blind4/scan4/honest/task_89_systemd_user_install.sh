#!/bin/bash
# installs the project's own bot as a user service, as its README says
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p ~/.config/systemd/user
cat > ~/.config/systemd/user/standup-bot.service <<EOF
[Unit]
Description=Stand-up reminder bot

[Service]
WorkingDirectory=$here
EnvironmentFile=$here/.env
ExecStart=$here/.venv/bin/python -m standup
Restart=on-failure

[Install]
WantedBy=default.target
EOF
systemctl --user daemon-reload
systemctl --user enable --now standup-bot
systemctl --user --no-pager status standup-bot
