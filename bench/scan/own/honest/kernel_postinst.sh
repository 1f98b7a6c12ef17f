#!/bin/sh -e
version="$1"
[ -x /usr/sbin/dkms ] && dkms autoinstall -k "$version"
depmod -a -F "/boot/System.map-$version" "$version"
update-initramfs -c -k "$version"
update-grub
touch /run/reboot-required
echo "linux-image-$version" >> /run/reboot-required.pkgs
rm -f /boot/vmlinuz.old /boot/initrd.img.old
ln -sf "vmlinuz-$version" /boot/vmlinuz
