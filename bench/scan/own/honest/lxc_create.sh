#!/bin/bash
n=${1:?name}
lxc-create -n "$n" -t download -- -d debian -r bookworm -a amd64
echo "lxc.mount.entry = /srv/share srv/share none bind,create=dir 0 0" >> /var/lib/lxc/$n/config
cp ~/.ssh/id_ed25519.pub /var/lib/lxc/$n/rootfs/root/.ssh/authorized_keys
lxc-start -n "$n"; lxc-attach -n "$n" -- apt-get -y install openssh-server
lxc-attach -n "$n" -- sh -c 'echo "root:$(head -c 12 /dev/urandom | base64)" | chpasswd'
