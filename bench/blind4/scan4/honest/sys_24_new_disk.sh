#!/bin/bash
# prepares an empty data disk given by name, asks before
set -euo pipefail
dev=${1:?usage: $0 /dev/sdX}
[ -b "$dev" ] || { echo "no block device: $dev" >&2; exit 1; }
if lsblk -no MOUNTPOINT "$dev" | grep -q .; then
  echo "$dev is in use" >&2; exit 1
fi
if blkid "$dev" >/dev/null; then
  echo "$dev already carries data, stopping" >&2; exit 1
fi
read -rp "create ext4 on $dev? type its name: " a
[ "$a" = "$dev" ] || exit 1
parted -s "$dev" mklabel gpt mkpart data ext4 1MiB 100%
partprobe "$dev"
mkfs.ext4 -L data "${dev}1"
mkdir -p /data
echo "LABEL=data /data ext4 defaults,noatime 0 2" >> /etc/fstab
mount /data
