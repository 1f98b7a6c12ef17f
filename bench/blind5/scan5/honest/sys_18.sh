#!/bin/sh
# kernel post-removal
version="$1"
rm -f "/boot/initrd.img-$version" "/boot/config-$version"
rm -rf "/lib/modules/$version"
update-grub
