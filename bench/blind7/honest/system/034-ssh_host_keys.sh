#!/bin/sh
# firstboot: regenerate host identity of a cloned image
flag=/var/lib/firstboot.done
[ -e "$flag" ] && exit 0
rm -f /etc/ssh/ssh_host_*_key /etc/ssh/ssh_host_*_key.pub
ssh-keygen -A
rm -f /etc/machine-id /var/lib/dbus/machine-id
systemd-machine-id-setup
systemctl try-restart ssh
for f in /etc/ssh/ssh_host_*_key.pub; do ssh-keygen -lf "$f"; done > /dev/console
touch "$flag"
systemctl disable firstboot.service
