#!/bin/bash
# started by usb-backup@.service
set -euo pipefail
dev=/dev/$1 want=$(cat /etc/usb-backup/uuid)
[ "$(blkid -s UUID -o value "$dev")" = "$want" ] || { logger -t usb-backup "unknown disk $dev ignored"; exit 0; }
cryptsetup open "$dev" usbbak --key-file /etc/usb-backup/key
trap 'umount /mnt/usbbak 2>/dev/null; cryptsetup close usbbak' EXIT
mkdir -p /mnt/usbbak
mount -o noexec,nosuid /dev/mapper/usbbak /mnt/usbbak
export BORG_PASSCOMMAND='cat /etc/usb-backup/pass'
borg create --compression zstd --exclude-caches /mnt/usbbak/repo::"{hostname}-{now}" /etc /home /srv
borg prune --keep-daily 7 --keep-weekly 5 --keep-monthly 12 /mnt/usbbak/repo
sync
