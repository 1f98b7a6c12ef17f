# class: kernel hook; style: old kernels' removal
#!/bin/sh
set -e
version=$1
[ -n "$version" ] || exit 0
rm -f "/boot/initrd.img-$version" "/boot/initrd.img-$version.bak"
rm -f /var/lib/initramfs-tools/"$version"
if command -v update-grub > /dev/null; then
    update-grub
fi
