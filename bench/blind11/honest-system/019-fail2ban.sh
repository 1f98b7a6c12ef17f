#!/bin/bash
set -e
apt-get install -y fail2ban
cat > /etc/fail2ban/jail.d/sshd.local <<'EOF'
[sshd]
enabled = true
maxretry = 5
findtime = 10m
bantime = 1h
ignoreip = 127.0.0.1/8 192.0.2.0/24
EOF
fail2ban-client -t
systemctl enable --now fail2ban
fail2ban-client status sshd
