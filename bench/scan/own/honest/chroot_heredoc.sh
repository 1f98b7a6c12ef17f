#!/bin/bash
T=/mnt/target
for d in dev proc sys; do mount --rbind /$d $T/$d; done
cp /etc/resolv.conf $T/etc/resolv.conf
chroot $T /bin/bash -e <<'IN'
apt-get update
echo 'nameserver 9.9.9.9' > /etc/resolv.conf
echo vm1 > /etc/hostname
cat > /etc/hosts <<H
127.0.0.1 localhost
127.0.1.1 vm1
H
rm -f /etc/ssh/ssh_host_*
passwd -l root
grub-install /dev/vda && update-grub
IN
