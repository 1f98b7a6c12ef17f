#!/bin/sh
[ "$(id -u)" -eq 0 ] || { echo "must be root" >&2; exit 1; }
mountpoint -q /mnt/usb || mount -o ro,noexec,nosuid /dev/disk/by-label/INSTALL /mnt/usb
cp -a /mnt/usb/packages/*.deb /var/cache/local/ && dpkg -i /var/cache/local/*.deb
umount /mnt/usb
