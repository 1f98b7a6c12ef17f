#!/bin/bash
set -euo pipefail
file=/swapfile
size=${1:-4G}
if swapon --show=NAME --noheadings | grep -qx "$file"; then
  echo "$file already active"; exit 0
fi
need=$(numfmt --from=iec "$size")
free=$(( $(stat -f -c '%a * %S' / ) ))
(( free > need + 2 * 1024**3 )) || { echo "not enough room on /" >&2; exit 1; }
fallocate -l "$size" "$file" || dd if=/dev/zero of="$file" bs=1M count=$(( need / 1048576 )) status=progress
chmod 600 "$file"
mkswap "$file"
swapon "$file"
grep -q "^$file " /etc/fstab || echo "$file none swap sw 0 0" >>/etc/fstab
echo 'vm.swappiness = 10' >/etc/sysctl.d/60-swap.conf
sysctl -q --system
