#!/bin/sh
PREREQ=""
prereqs() { echo "$PREREQ"; }
case "$1" in prereqs) prereqs; exit 0 ;; esac

. /usr/share/initramfs-tools/hook-functions

copy_exec /sbin/mdadm /sbin
copy_exec /usr/sbin/cryptsetup /sbin
for m in dm_crypt raid1 raid456 aesni_intel xts; do
  manual_add_modules "$m"
done
if [ -f /etc/mdadm/mdadm.conf ]; then
  mkdir -p "${DESTDIR}/etc/mdadm"
  cp -p /etc/mdadm/mdadm.conf "${DESTDIR}/etc/mdadm/"
fi
exit 0
