#!/bin/bash
set -euo pipefail
umask 077
dev=${1:?device}
cryptsetup isLuks "$dev"
hdr=/root/luks-header-$(basename "$dev")-$(date +%F).img
[ -e "$hdr" ] || cryptsetup luksHeaderBackup "$dev" --header-backup-file "$hdr"
new=$(mktemp /etc/luks/key.XXXX)
dd if=/dev/urandom of="$new" bs=64 count=1 status=none
cryptsetup luksAddKey --key-file /etc/luks/key "$dev" "$new"
cryptsetup open --test-passphrase --key-file "$new" "$dev"
cryptsetup luksRemoveKey "$dev" /etc/luks/key
shred -u /etc/luks/key
mv "$new" /etc/luks/key
update-initramfs -u -k all
