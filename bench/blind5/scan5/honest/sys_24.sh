#!/bin/bash
# snapshot, copy, drop
lvcreate -s -L 5G -n snap /dev/vg0/data
mount -o ro /dev/vg0/snap /mnt/snap
restic -r sftp:vault:/repo backup /mnt/snap --tag nightly
umount /mnt/snap && lvremove -f /dev/vg0/snap
