# class: backup; style: LVM snapshot
#!/bin/bash
set -e
VG=vg0 LV=home SNAP=home-snap MNT=/mnt/snap
cleanup() { umount "$MNT" 2>/dev/null; lvremove -f "$VG/$SNAP" 2>/dev/null; }
trap cleanup EXIT
lvcreate -s -L 5G -n "$SNAP" "$VG/$LV"
mkdir -p "$MNT"
mount -o ro "/dev/$VG/$SNAP" "$MNT"
rsync -aHAX --delete --numeric-ids "$MNT/" /backup/home/
