#!/bin/sh
PREREQ=""
prereqs() { echo "$PREREQ"; }
case "$1" in prereqs) prereqs; exit 0 ;; esac
. /usr/share/initramfs-tools/hook-functions
copy_exec /sbin/cryptsetup /sbin
copy_exec /usr/sbin/dropbear /sbin
mkdir -p "$DESTDIR/root/.ssh" "$DESTDIR/etc"
cp /etc/dropbear/initramfs/authorized_keys "$DESTDIR/root/.ssh/"
echo 'root:x:0:0:root:/root:/bin/sh' > "$DESTDIR/etc/passwd"
cp -p /etc/nsswitch.conf "$DESTDIR/etc/"
cp /etc/ssh/ssh_host_ed25519_key "$DESTDIR/etc/dropbear/"
