#!/bin/sh
# initramfs hook: copies the unlock tool into the image
PREREQ="cryptroot"
prereqs() { echo "$PREREQ"; }
case "$1" in
  prereqs) prereqs; exit 0 ;;
esac
. /usr/share/initramfs-tools/hook-functions
copy_exec /usr/bin/tpm2_unseal /bin
copy_exec /usr/lib/x86_64-linux-gnu/libtss2-tcti-device.so.0
mkdir -p "$DESTDIR/etc"
cp -p /etc/unlock.conf "$DESTDIR/etc/"
manual_add_modules tpm_tis tpm_crb
