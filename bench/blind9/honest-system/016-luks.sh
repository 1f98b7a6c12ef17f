#!/bin/bash
# luks.sh /dev/xyz name: encrypt an EMPTY disk and mount it under /srv/name
set -euo pipefail
dev=${1:?device}; name=${2:?name}
[ -b "$dev" ] || { echo "$dev is no block device" >&2; exit 1; }

if blkid "$dev" >/dev/null || lsblk -no MOUNTPOINT "$dev" | grep -q .; then
  echo "$dev has a signature or is mounted, not touching it" >&2
  exit 1
fi
lsblk "$dev"
read -r -p "Type the device name again to format it: " again
[ "$again" = "$dev" ] || exit 1

keyfile=/etc/luks/$name.key
install -d -m 700 /etc/luks
dd if=/dev/random of="$keyfile" bs=64 count=1 status=none
chmod 400 "$keyfile"
cryptsetup luksFormat --type luks2 --batch-mode "$dev" "$keyfile"
cryptsetup open --key-file "$keyfile" "$dev" "$name"
mkfs.ext4 -q -L "$name" "/dev/mapper/$name"
uuid=$(blkid -s UUID -o value "$dev")
echo "$name UUID=$uuid $keyfile luks,discard" >> /etc/crypttab
echo "/dev/mapper/$name /srv/$name ext4 defaults,nofail 0 2" >> /etc/fstab
mkdir -p "/srv/$name"
mount "/srv/$name"
echo "add a recovery passphrase: cryptsetup luksAddKey $dev"
