# class: chroot; style: builds a root file system
#!/bin/bash
set -e
R=${1:-/srv/chroot/bookworm}
debootstrap --variant=minbase bookworm "$R" http://deb.debian.org/debian
for m in proc sys dev dev/pts; do mount --bind /$m "$R/$m"; done
trap 'for m in dev/pts dev sys proc; do umount -l "$R/$m"; done' EXIT
cp /etc/resolv.conf "$R/etc/"
chroot "$R" /bin/sh -c 'apt-get update && apt-get -y install --no-install-recommends locales openssh-server && rm -f /etc/ssh/ssh_host_* && passwd -d root'
tar -C "$R" --one-file-system -cJf /srv/images/bookworm.tar.xz .
