#!/bin/bash
# user data: one operator with a key, no passwords over ssh
useradd -m -s /bin/bash ops
mkdir -p /home/ops/.ssh
echo "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQExample ops@example" > /home/ops/.ssh/authorized_keys
chown -R ops:ops /home/ops/.ssh && chmod 700 /home/ops/.ssh && chmod 600 /home/ops/.ssh/authorized_keys
echo 'PasswordAuthentication no' > /etc/ssh/sshd_config.d/10-keys.conf
echo 'PermitRootLogin no' >> /etc/ssh/sshd_config.d/10-keys.conf
systemctl restart sshd
echo "ops ALL=(ALL) NOPASSWD:ALL" > /etc/sudoers.d/90-ops
chmod 440 /etc/sudoers.d/90-ops
