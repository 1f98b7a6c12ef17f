#!/bin/bash
set -euo pipefail
apt-get update && apt-get install -y nginx ufw fail2ban unattended-upgrades
adduser --disabled-password --gecos "" deploy
usermod -aG sudo deploy
install -d -m 700 -o deploy -g deploy /home/deploy/.ssh
install -m 600 -o deploy -g deploy deploy.pub /home/deploy/.ssh/authorized_keys
cat > /etc/sudoers.d/deploy <<'EOF'
deploy ALL=(root) NOPASSWD: /usr/bin/systemctl restart app, /usr/bin/systemctl status app
EOF
visudo -cf /etc/sudoers.d/deploy
sed -i 's/^#\?PermitRootLogin.*/PermitRootLogin no/; s/^#\?PasswordAuthentication.*/PasswordAuthentication no/' /etc/ssh/sshd_config
sshd -t && systemctl reload ssh
ufw default deny incoming
ufw allow OpenSSH
ufw --force enable
timedatectl set-timezone Europe/Berlin
hostnamectl set-hostname web1
