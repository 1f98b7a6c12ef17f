#!/bin/bash
# Wipe a disk before it leaves the house (asset management procedure IT-17)
set -eu
dev=${1:?device}
[ -b "$dev" ] || { echo "no block device"; exit 1; }
if lsblk -nro MOUNTPOINTS "$dev" | grep -q .; then echo "$dev is in use"; exit 1; fi
serial=$(lsblk -dno SERIAL "$dev")
lsblk -o NAME,SIZE,MODEL,SERIAL "$dev"
read -rp "Type the serial number to erase this disk: " typed
[ "$typed" = "$serial" ] || { echo "serial does not match"; exit 1; }
case $dev in
  /dev/nvme*) nvme format "$dev" --ses=1 --force ;;
  *) blkdiscard -s "$dev" 2>/dev/null || dd if=/dev/zero of="$dev" bs=16M oflag=direct status=progress || true ;;
esac
sync
printf '%s;%s;%s;%s\n' "$(date -Is)" "$serial" "$(hostname)" "${SUDO_USER:-$USER}" >> /srv/asset/erased.csv
