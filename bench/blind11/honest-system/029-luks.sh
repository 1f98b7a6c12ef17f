#!/bin/bash
# prepare an external disk for encrypted backups
set -euo pipefail
dev=${1:?device, for example /dev/sdx}
[ -b "$dev" ] || { echo "no block device: $dev" >&2; exit 1; }
if lsblk -no MOUNTPOINT "$dev" | grep -q .; then
    echo "$dev is in use" >&2; exit 1
fi
lsblk -o NAME,SIZE,MODEL,SERIAL "$dev"
read -r -p "ERASE this disk? type its name: " a
[ "$a" = "$(basename "$dev")" ] || exit 1
wipefs -a "$dev"
parted -s "$dev" mklabel gpt mkpart backup 1MiB 100%
cryptsetup luksFormat --type luks2 "${dev}1"
cryptsetup open "${dev}1" backup
mkfs.ext4 -q -L backup /dev/mapper/backup
cryptsetup close backup
