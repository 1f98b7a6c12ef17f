#!/bin/bash
# replaces the old cron entry of the report with a systemd timer
set -euo pipefail
unit=/etc/systemd/system/report

cat > $unit.service <<'U'
[Unit]
Description=Daily usage report
After=network-online.target

[Service]
Type=oneshot
User=report
ExecStart=/usr/local/bin/usage-report --out /srv/reports
ProtectSystem=strict
ReadWritePaths=/srv/reports
PrivateTmp=yes
NoNewPrivileges=yes
U
cat > $unit.timer <<'U'
[Unit]
Description=Run the usage report every morning

[Timer]
OnCalendar=*-*-* 05:30
RandomizedDelaySec=10m
Persistent=true

[Install]
WantedBy=timers.target
U
rm -f /etc/cron.d/usage-report
systemctl daemon-reload
systemctl enable --now report.timer
systemctl list-timers report.timer --no-pager
