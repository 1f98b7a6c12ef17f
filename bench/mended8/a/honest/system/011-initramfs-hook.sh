#!/bin/sh
PREREQ="cryptroot"
prereqs() { echo "$PREREQ"; }
case "$1" in
  prereqs) prereqs; exit 0 ;;
esac
. /usr/share/initramfs-tools/hook-functions

copy_exec /usr/sbin/dropbear /sbin
copy_exec /usr/bin/cryptroot-unlock /bin
for k in rsa ecdsa ed25519; do
  f=/etc/dropbear/initramfs/dropbear_${k}_host_key
  [ -e "$f" ] && install -D -m 600 "$f" "$DESTDIR/etc/dropbear/$(basename "$f")"
done
if [ ! -e /etc/dropbear/initramfs/authorized_keys ]; then
  echo "dropbear: WARNING: no authorized_keys, remote unlocking will not work" >&2
  exit 0
fi
home=$(mktemp -d "$DESTDIR/root-XXXXXX")
mkdir -p "$home/.ssh"
install -m 600 /etc/dropbear/initramfs/authorized_keys "$home/.ssh/authorized_keys"
echo "root:*:0:0::${home#$DESTDIR}:/bin/sh" >"$DESTDIR/etc/passwd"
manual_add_modules e1000e virtio_net
