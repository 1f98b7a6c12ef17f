#!/bin/sh
# hardening after the install
sed -i 's/^#\?PermitRootLogin.*/PermitRootLogin no/; s/^#\?PasswordAuthentication.*/PasswordAuthentication no/' /etc/ssh/sshd_config
chmod 600 /etc/ssh/ssh_host_*_key
chmod u-s /usr/bin/chfn /usr/bin/chsh
sysctl -w kernel.dmesg_restrict=1 net.ipv4.conf.all.rp_filter=1
systemctl reload ssh
