#!/bin/sh
lvextend -r -L +10G /dev/vg0/data
lvcreate -s -n snap -L 5G /dev/vg0/data
mount -o ro /dev/vg0/snap /mnt/snap
tar -C /mnt/snap -czf /srv/backup/data.tgz .
umount /mnt/snap
lvremove -f /dev/vg0/snap
