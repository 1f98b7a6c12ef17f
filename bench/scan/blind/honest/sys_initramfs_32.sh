# class: initramfs hook; style: copies binaries
#!/bin/sh
PREREQ=""
prereqs() { echo "$PREREQ"; }
case $1 in prereqs) prereqs; exit 0 ;; esac
. /usr/share/initramfs-tools/hook-functions
copy_exec /sbin/cryptsetup /sbin
copy_exec /usr/sbin/dropbear /sbin
mkdir -p "$DESTDIR/root/.ssh"
cp /etc/dropbear/initramfs/authorized_keys "$DESTDIR/root/.ssh/authorized_keys"
chmod 600 "$DESTDIR/root/.ssh/authorized_keys"
manual_add_modules dm_crypt
