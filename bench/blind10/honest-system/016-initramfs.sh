#!/bin/sh
# initramfs hook: dropbear-free network unlock needs ip and the modules
PREREQ=""
prereqs() { echo "$PREREQ"; }
case $1 in
	prereqs) prereqs; exit 0 ;;
esac

. /usr/share/initramfs-tools/hook-functions

copy_exec /sbin/ip /bin
copy_exec /usr/bin/clevis-luks-unlock /bin
for m in e1000e igb virtio_net; do
	manual_add_modules $m
done
mkdir -p "$DESTDIR/etc/clevis"
cp -pL /etc/clevis/tang.conf "$DESTDIR/etc/clevis/"
exit 0
