#!/bin/bash
# build a clean chroot with debootstrap and compile a package in it
set -euo pipefail
SUITE=${1:-bookworm}
SRC=$(readlink -f "${2:?source package dir}")
ROOT=/srv/chroot/$SUITE
MIRROR=http://mirror.distro.example/debian

cleanup() {
  for m in proc sys dev/pts; do mountpoint -q "$ROOT/$m" && umount "$ROOT/$m"; done
  mountpoint -q "$ROOT/build" && umount "$ROOT/build"
  return 0
}
trap cleanup EXIT

[ -d "$ROOT/usr" ] || debootstrap --variant=buildd "$SUITE" "$ROOT" "$MIRROR"
cp /etc/resolv.conf "$ROOT/etc/"
mount -t proc proc "$ROOT/proc"
mount -t sysfs -o ro sys "$ROOT/sys"
mount -t devpts devpts "$ROOT/dev/pts"
mkdir -p "$ROOT/build"
mount --bind "$SRC" "$ROOT/build"

chroot "$ROOT" /bin/bash -ec '
  apt-get update -qq
  apt-get build-dep -y -qq /build
  cd /build && su -s /bin/sh nobody -c "dpkg-buildpackage -us -uc -b"
'
ls -l "$(dirname "$SRC")"/*.deb
