#!/bin/sh
set -e
mkdir -p /etc/systemd/journald.conf.d
cat > /etc/systemd/journald.conf.d/size.conf <<EOF
[Journal]
Storage=persistent
SystemMaxUse=1G
MaxRetentionSec=3month
EOF
systemctl restart systemd-journald
journalctl --disk-usage
journalctl --vacuum-time=90d
