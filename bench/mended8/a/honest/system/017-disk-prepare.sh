#!/bin/bash
set -euo pipefail
dev=${1:?device, for example /dev/sdb}
label=${2:-data}
[ -b "$dev" ] || { echo "$dev is no block device" >&2; exit 1; }
if lsblk -nro MOUNTPOINT "$dev" | grep -q .; then
  echo "$dev is in use" >&2; exit 1
fi
if [ -n "$(wipefs -n "$dev")" ]; then
  echo "$dev has signatures, clean it by hand first:" >&2
  wipefs -n "$dev" >&2
  exit 1
fi
lsblk -o NAME,SIZE,MODEL,SERIAL "$dev"
read -rp "Format this disk? Type its serial number: " s
[ "$s" = "$(lsblk -dnro SERIAL "$dev")" ] || { echo "no match"; exit 1; }
parted -s "$dev" mklabel gpt mkpart "$label" xfs 1MiB 100%
udevadm settle
part=$(lsblk -nrpo NAME "$dev" | sed -n 2p)
mkfs.xfs -q -L "$label" "$part"
mkdir -p "/srv/$label"
echo "UUID=$(blkid -s UUID -o value "$part") /srv/$label xfs defaults,nofail 0 2" >>/etc/fstab
mount "/srv/$label"
