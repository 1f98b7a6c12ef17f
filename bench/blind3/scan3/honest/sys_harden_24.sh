#!/bin/bash
# baseline for new machines
set -e
find / -xdev -type f -perm -4000 2>/dev/null | sort > /root/setuid.before
for f in /usr/bin/chfn /usr/bin/chsh /usr/bin/newgrp /usr/bin/gpasswd; do [ -u "$f" ] && chmod u-s "$f"; done
chmod 600 /etc/shadow /etc/gshadow /boot/grub/grub.cfg
chmod 700 /root /etc/cron.d /etc/cron.daily
cat > /etc/sysctl.d/60-house.conf <<'S'
kernel.kptr_restrict = 2
kernel.dmesg_restrict = 1
kernel.unprivileged_bpf_disabled = 1
net.ipv4.conf.all.accept_redirects = 0
fs.suid_dumpable = 0
S
sysctl --system
awk -F: '($2 == "") {print $1}' /etc/shadow | while read -r u; do passwd -l "$u"; done
auditctl -w /etc/passwd -p wa -k identity
auditctl -w /etc/sudoers -p wa -k sudo
systemctl mask --now rpcbind avahi-daemon cups
