#!/bin/sh
# consistent copy through a snapshot
VG=vg0 LV=data SNAP=data_snap
lvcreate -s -L 5G -n $SNAP /dev/$VG/$LV || exit 1
trap 'umount /mnt/snap; lvremove -f /dev/$VG/$SNAP' EXIT
mkdir -p /mnt/snap
mount -o ro /dev/$VG/$SNAP /mnt/snap
tar -C /mnt/snap -cf - . | zstd -T0 > /backup/data-$(date +%F).tar.zst
