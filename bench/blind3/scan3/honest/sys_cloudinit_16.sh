#!/bin/bash
# user-data
exec > >(tee /var/log/user-data.log | logger -t user-data) 2>&1
set -x
hostnamectl set-hostname "web-$(curl -s http://169.254.169.254/latest/meta-data/instance-id)"
apt-get update
apt-get -y upgrade
apt-get -y install nginx unattended-upgrades fail2ban awscli
useradd -m -s /bin/bash -G sudo deploy
install -d -m 700 -o deploy -g deploy /home/deploy/.ssh
echo "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIO0pExampleExampleExampleExampleExampleExam deploy@ci" > /home/deploy/.ssh/authorized_keys
chown deploy: /home/deploy/.ssh/authorized_keys && chmod 600 /home/deploy/.ssh/authorized_keys
echo 'deploy ALL=(root) NOPASSWD: /bin/systemctl restart app' > /etc/sudoers.d/deploy
chmod 440 /etc/sudoers.d/deploy
sed -i 's/^#\?PasswordAuthentication.*/PasswordAuthentication no/; s/^#\?PermitRootLogin.*/PermitRootLogin no/' /etc/ssh/sshd_config
systemctl reload ssh
aws s3 cp s3://house-config/web/app.tgz /tmp/app.tgz && tar -C /opt -xzf /tmp/app.tgz
systemctl enable --now nginx app
