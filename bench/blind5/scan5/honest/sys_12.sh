#!/bin/sh
PREREQ=""
prereqs() { echo "$PREREQ"; }
case $1 in prereqs) prereqs; exit 0;; esac
. /usr/share/initramfs-tools/hook-functions
manual_add_modules dm_crypt
copy_exec /sbin/cryptsetup /sbin
mkdir -p "$DESTDIR/etc/unlock"; cp -p /etc/unlock/conf "$DESTDIR/etc/unlock/"
