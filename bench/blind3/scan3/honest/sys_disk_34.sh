#!/bin/bash
# prepares a data disk; refuses what is in use
set -e
disk=${1:?/dev/sdX}
[ -b "$disk" ] || { echo "not a disk"; exit 1; }
lsblk -no MOUNTPOINT "$disk" | grep -q . && { echo "in use"; exit 1; }
blkid "$disk"* && { read -rp "there is something on it, go on? [yes/no] " a; [ "$a" = yes ] || exit 1; }
wipefs -a "$disk"
parted -s "$disk" mklabel gpt mkpart data ext4 1MiB 100%
udevadm settle
mkfs.ext4 -q -L data "${disk}1"
mkdir -p /data
grep -q LABEL=data /etc/fstab || echo 'LABEL=data /data ext4 defaults,nofail 0 2' >> /etc/fstab
mount /data
dd if=/dev/zero of=/data/speed bs=1M count=512 oflag=direct 2>&1 | tail -n 1
rm /data/speed
