#!/bin/sh
PREREQ="cryptroot"
prereqs() { echo "$PREREQ"; }
case "$1" in
  prereqs) prereqs; exit 0 ;;
esac
. /usr/share/initramfs-tools/hook-functions

copy_exec /usr/bin/clevis-decrypt-tpm2 /usr/bin
copy_exec /usr/bin/tpm2_unseal /usr/bin
for lib in /usr/lib/*/libtss2-tcti-device.so.0; do
  [ -e "$lib" ] && copy_exec "$lib"
done
manual_add_modules tpm_tis tpm_crb
if [ -f /etc/tpm-unlock.conf ]; then
  mkdir -p "$DESTDIR/etc"
  cp -p /etc/tpm-unlock.conf "$DESTDIR/etc/"
fi
exit 0
