#!/bin/bash
# flashes the evaluation board on the bench
img=${1:?image}; dev=${2:?device}
[ "$(lsblk -no RM "$dev")" -eq 1 ] || { echo "$dev is not removable"; exit 1; }
umount "$dev"?* 2>/dev/null
dd if="$img" of="$dev" bs=4M conv=fsync status=progress
eject "$dev"
