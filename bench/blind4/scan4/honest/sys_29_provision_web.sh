#!/usr/bin/env bash
# first set-up of a new web server
set -euo pipefail
hostnamectl set-hostname "${1:?host name}"
timedatectl set-timezone Europe/Berlin
apt-get update && apt-get install -y nginx fail2ban unattended-upgrades chrony ufw
adduser --disabled-password --gecos "" deploy
install -d -m 700 -o deploy -g deploy /home/deploy/.ssh
install -m 600 -o deploy -g deploy keys/deploy.pub /home/deploy/.ssh/authorized_keys
cat > /etc/sudoers.d/deploy <<'EOF'
deploy ALL=(root) NOPASSWD: /usr/bin/systemctl reload nginx
EOF
chmod 440 /etc/sudoers.d/deploy && visudo -cf /etc/sudoers.d/deploy
sed -i -e 's/^#\?PasswordAuthentication.*/PasswordAuthentication no/' -e 's/^#\?PermitRootLogin.*/PermitRootLogin no/' /etc/ssh/sshd_config
sshd -t && systemctl reload ssh
ufw allow OpenSSH && ufw allow 'Nginx Full' && ufw --force enable
systemctl enable --now fail2ban chrony nginx
