#!/bin/bash
# builds a package in a clean chroot
set -euo pipefail
R=/var/tmp/build-root
cleanup() { for m in proc sys dev/pts; do mountpoint -q "$R/$m" && umount "$R/$m"; done; rm -rf --one-file-system "$R"; }
trap cleanup EXIT
debootstrap --variant=buildd bookworm "$R" https://deb.debian.org/debian
mount -t proc proc "$R/proc"
mount -t sysfs sys "$R/sys"
mount --bind /dev/pts "$R/dev/pts"
cp -a . "$R/src"
chroot "$R" sh -c 'apt-get update && apt-get build-dep -y /src && cd /src && dpkg-buildpackage -us -uc -b'
mkdir -p out && cp "$R"/*.deb out/
