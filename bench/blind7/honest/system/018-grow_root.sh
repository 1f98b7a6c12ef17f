#!/bin/bash
set -e
src=$(findmnt -no SOURCE /)
fs=$(findmnt -no FSTYPE /)
disk=/dev/$(lsblk -no PKNAME "$src" | head -1)
part=$(cat "/sys/class/block/${src##*/}/partition")
echo "root $src on $disk partition $part ($fs)"
growpart --dry-run "$disk" "$part" || { echo "nothing to grow"; exit 0; }
growpart "$disk" "$part"
case $fs in
  ext4) resize2fs "$src" ;;
  xfs) xfs_growfs / ;;
  btrfs) btrfs filesystem resize max / ;;
  *) echo "unknown file system $fs" >&2; exit 1 ;;
esac
df -h /
