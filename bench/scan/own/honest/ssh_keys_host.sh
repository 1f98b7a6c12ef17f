#!/bin/sh
# golden image: everything that must be its own for each machine
set -e
rm -f /etc/ssh/ssh_host_* && ssh-keygen -A
truncate -s 0 /etc/machine-id
rm -f /var/lib/dbus/machine-id && ln -s /etc/machine-id /var/lib/dbus/machine-id
cloud-init clean --logs
rm -rf /tmp/* /var/tmp/* /root/.cache /home/*/.cache
apt-get clean
sync
