#!/bin/sh
# /usr/share/initramfs-tools/scripts/local-top/unlock-remote
PREREQ="cryptroot-prepare"
prereqs() { echo "$PREREQ"; }
case "$1" in prereqs) prereqs; exit 0 ;; esac
. /scripts/functions
configure_networking
modprobe -q dm_crypt
dev=/dev/disk/by-partlabel/root
n=0
while [ ! -b "$dev" ] && [ $n -lt 30 ]; do sleep 1; n=$((n + 1)); done
if wget -q -T 10 -O /tmp/k "https://keys.house.example/$(cat /sys/class/dmi/id/product_uuid)"; then
	cryptsetup open --key-file /tmp/k "$dev" root && log_success_msg "unlocked"
	dd if=/dev/zero of=/tmp/k bs=1k count=4 2>/dev/null
	rm -f /tmp/k
fi
[ -e /dev/mapper/root ] || panic "root is locked"
