#!/bin/bash
set -eu
size=${1:-4G} file=/swapfile
[ "$(id -u)" = 0 ] || exec sudo "$0" "$@"
swapon --show=NAME --noheadings | grep -qx "$file" && { echo "already active"; exit; }
fallocate -l "$size" "$file" || dd if=/dev/zero of="$file" bs=1M count=$(( $(numfmt --from=iec "$size") / 1048576 )) status=progress
chmod 600 "$file"
mkswap "$file" >/dev/null
swapon "$file"
grep -q "^$file " /etc/fstab || echo "$file none swap sw 0 0" >> /etc/fstab
echo vm.swappiness=10 > /etc/sysctl.d/60-swap.conf
sysctl -q --system
free -h
