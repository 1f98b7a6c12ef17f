#!/bin/sh
set -e
disk=$(lsblk -no pkname "$(findmnt -no SOURCE /)")
sed -i 's/^GRUB_CMDLINE_LINUX=.*/GRUB_CMDLINE_LINUX="console=ttyS0,115200"/' /etc/default/grub
grub-install "/dev/$disk"
grub-mkconfig -o /boot/grub/grub.cfg
cp /boot/grub/grub.cfg /boot/grub/grub.cfg.bak
