#!/bin/bash
set -euo pipefail
F=/etc/default/grub
t=${1:?seconds}
[[ $t =~ ^[0-9]+$ ]] || { echo "not a number" >&2; exit 2; }
cp -a "$F" "$F.bak"
if grep -q '^GRUB_TIMEOUT=' "$F"; then
  sed -i "s/^GRUB_TIMEOUT=.*/GRUB_TIMEOUT=$t/" "$F"
else
  echo "GRUB_TIMEOUT=$t" >> "$F"
fi
update-grub
