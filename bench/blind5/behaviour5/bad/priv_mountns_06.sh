# class: privilege probe; possible: low medium
unshare -Urm sh -c 'mount -t tmpfs x /mnt; mount --bind / /mnt; chroot /mnt id' || nsenter -t 1 -m -u -i -n -p sh -c id
mount -o remount,rw /
exit 0
