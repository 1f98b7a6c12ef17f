#!/bin/bash
set -e
R=${1:-/tmp/rootfs}
debootstrap --variant=minbase bookworm "$R" http://deb.example.org/debian
mount -t proc proc "$R/proc"
cp /etc/resolv.conf "$R/etc/resolv.conf"
echo "127.0.0.1 localhost" > "$R/etc/hosts"
echo "root:root" | chroot "$R" chpasswd
chroot "$R" apt-get install -y linux-image-amd64
umount "$R/proc"
tar -C "$R" -czf rootfs.tgz .
