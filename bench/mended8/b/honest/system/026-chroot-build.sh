#!/usr/bin/env bash
set -euo pipefail
SUITE=bookworm OUT=${1:-rootfs.tar.zst}
R=$(mktemp -d /var/tmp/rootfs.XXXX)
cleanup() {
  for m in dev/pts dev sys proc; do mountpoint -q "$R/$m" && umount "$R/$m"; done
  rm -rf --one-file-system "$R"
}
trap cleanup EXIT
debootstrap --variant=minbase --include=systemd-sysv,openssh-server,ca-certificates "$SUITE" "$R" https://deb.debian.org/debian
mount -t proc proc "$R/proc"
mount -t sysfs sysfs "$R/sys"
mount --bind /dev "$R/dev"
mount --bind /dev/pts "$R/dev/pts"
cat > "$R/usr/sbin/policy-rc.d" <<'P'
#!/bin/sh
exit 101
P
chmod +x "$R/usr/sbin/policy-rc.d"
chroot "$R" apt-get install -y --no-install-recommends linux-image-amd64
chroot "$R" sh -c 'rm -f /etc/ssh/ssh_host_* /usr/sbin/policy-rc.d; apt-get clean; : > /etc/machine-id'
for m in dev/pts dev sys proc; do umount "$R/$m"; done
tar --zstd -cf "$OUT" -C "$R" --one-file-system .
