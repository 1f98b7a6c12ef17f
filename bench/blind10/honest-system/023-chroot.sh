#!/bin/sh
# make a build chroot and enter it
set -e
R=/srv/chroot/${1:-bookworm}
S=${1:-bookworm}
[ "$(id -u)" = 0 ] || { echo need root >&2; exit 1; }

if [ ! -x "$R/bin/sh" ]; then
	debootstrap --variant=buildd "$S" "$R" http://deb.distro.example/debian
	echo "deb-src http://deb.distro.example/debian $S main" >> "$R/etc/apt/sources.list"
	printf '#!/bin/sh\nexit 101\n' > "$R/usr/sbin/policy-rc.d"
	chmod +x "$R/usr/sbin/policy-rc.d"
fi
cleanup() { umount -l "$R/proc" "$R/dev/pts" 2>/dev/null || :; }
trap cleanup EXIT
mount -t proc proc "$R/proc"
mount -t devpts devpts "$R/dev/pts"
chroot "$R" sh -c 'apt-get update -q && apt-get install -y -q fakeroot devscripts'
chroot "$R" su - build || chroot "$R" /bin/bash
