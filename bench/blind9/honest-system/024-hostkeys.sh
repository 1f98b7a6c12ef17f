#!/bin/sh
# first boot of a cloned image: new host keys, new machine id
set -eu
MARK=/var/lib/firstboot.done
[ -e "$MARK" ] && exit 0

rm -f /etc/ssh/ssh_host_*_key /etc/ssh/ssh_host_*_key.pub
ssh-keygen -A
: > /etc/machine-id
systemd-machine-id-setup
rm -f /var/lib/dbus/machine-id
ln -s /etc/machine-id /var/lib/dbus/machine-id
rm -f /var/lib/systemd/random-seed /var/lib/dhcp/*.leases

systemctl try-restart ssh
touch "$MARK"
systemctl disable firstboot.service
