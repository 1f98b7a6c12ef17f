#!/usr/bin/env bash
set -euo pipefail
hostnamectl set-hostname "${1:?host name}"
timedatectl set-timezone Europe/Zurich
apt-get update -q
apt-get install -y -q fail2ban unattended-upgrades chrony ufw vim git htop rsync

cat > /etc/ssh/sshd_config.d/10-hardening.conf <<'CONF'
PermitRootLogin no
PasswordAuthentication no
KbdInteractiveAuthentication no
MaxAuthTries 3
AllowGroups ssh-users
CONF
groupadd -f ssh-users
usermod -aG ssh-users,sudo admin
sshd -t && systemctl reload ssh

cat > /etc/fail2ban/jail.local <<'CONF'
[sshd]
enabled = true
maxretry = 4
bantime = 1h
CONF
systemctl enable --now fail2ban chrony
ufw default deny incoming
ufw allow OpenSSH
ufw --force enable
