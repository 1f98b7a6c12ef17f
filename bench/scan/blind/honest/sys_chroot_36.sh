# class: administrator; style: build chroot
#!/bin/bash
set -e
root=/srv/chroot/bookworm
[ -d "$root" ] || debootstrap bookworm "$root"
for d in proc sys dev/pts; do
    mountpoint -q "$root/$d" || mount --bind "/$d" "$root/$d"
done
trap 'umount "$root/dev/pts" "$root/sys" "$root/proc"' EXIT
chroot "$root" apt-get -y install build-essential
chroot "$root" su builder -c 'cd /build && dpkg-buildpackage -us -uc'
