#!/bin/bash
# Erase a decommissioned disk. Asks for its serial number first.
set -euo pipefail
dev=${1:?usage: wipe-disk.sh /dev/sdX}
[ -b "$dev" ] || { echo "$dev is no block device" >&2; exit 1; }
root=$(lsblk -no PKNAME "$(findmnt -no SOURCE /)")
[ "$(basename "$dev")" = "$root" ] && { echo "refusing the system disk" >&2; exit 1; }
if lsblk -no MOUNTPOINTS "$dev" | grep -q .; then
  echo "$dev is in use" >&2; exit 1
fi
serial=$(lsblk -dno SERIAL "$dev")
lsblk -o NAME,SIZE,MODEL,SERIAL,FSTYPE "$dev"
read -rp "Type the serial number to erase $dev: " answer
[ "$answer" = "$serial" ] || { echo "no match, nothing done"; exit 1; }
if blkdiscard -f --secure "$dev" 2>/dev/null; then method=discard
else shred -v -n 1 -z "$dev"; method=shred; fi
echo "$(date -Is) $serial $method ${SUDO_USER:-root}" >> /var/log/disk-disposal.log
