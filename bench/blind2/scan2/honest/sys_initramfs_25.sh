# class: initramfs hook; style: Debian
#!/bin/sh
PREREQ="lvm2"
prereqs() { echo "$PREREQ"; }
case $1 in prereqs) prereqs; exit 0;; esac
. /usr/share/initramfs-tools/hook-functions
copy_exec /sbin/cryptsetup
copy_exec /usr/lib/cryptsetup/askpass
manual_add_modules dm_crypt xts aes
if [ -r /etc/crypttab ]; then
    grep -v '^#' /etc/crypttab | while read -r name dev key opts; do
        [ "$key" = none ] || install -m 0600 -D "$key" "$DESTDIR$key"
    done > "$DESTDIR/cryptroot/log"
fi
