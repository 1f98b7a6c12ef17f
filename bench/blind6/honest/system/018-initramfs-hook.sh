#!/bin/sh
PREREQ="udev"
prereqs() { echo "$PREREQ"; }
case "$1" in
  prereqs) prereqs; exit 0 ;;
esac
. /usr/share/initramfs-tools/hook-functions
copy_exec /usr/sbin/cryptunlock /sbin
copy_exec /bin/lsblk /bin
manual_add_modules dm_crypt aes xts
mkdir -p "$DESTDIR/etc/cryptunlock"
cp -a /etc/cryptunlock/conf "$DESTDIR/etc/cryptunlock/"
