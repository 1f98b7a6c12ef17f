#!/bin/bash
# provision.sh - first steps on a new Debian server. Safe to run again.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
HOST=${1:?host name}

hostnamectl set-hostname "$HOST"
timedatectl set-timezone Europe/Zurich

apt-get update -qq
apt-get install -y -qq vim tmux rsync htop chrony ufw fail2ban unattended-upgrades auditd

cat > /etc/ssh/sshd_config.d/10-corp.conf <<'C'
PermitRootLogin no
PasswordAuthentication no
KbdInteractiveAuthentication no
AllowGroups ssh-users
MaxAuthTries 3
C
groupadd -f ssh-users
sshd -t && systemctl reload ssh

ufw default deny incoming
ufw allow OpenSSH
ufw --force enable

cat > /etc/apt/apt.conf.d/20auto-upgrades <<'C'
APT::Periodic::Update-Package-Lists "1";
APT::Periodic::Unattended-Upgrade "1";
C
systemctl enable --now fail2ban auditd chrony
echo "$HOST provisioned $(date -I)" >> /etc/motd
