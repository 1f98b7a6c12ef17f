# class: init script; style: mounting of file systems
#!/bin/sh
. /lib/init/vars.sh
do_start() {
    mountpoint -q /proc || mount -t proc -o nodev,noexec,nosuid proc /proc
    mountpoint -q /sys || mount -t sysfs -o nodev,noexec,nosuid sysfs /sys
    mkdir -p /run/lock
    mount -t tmpfs -o nodev,noexec,nosuid,size=5242880 tmpfs /run/lock
    chmod 1777 /run/lock
    mount -o remount,rw /
    mount -a -t nonfs,nfs4,smbfs,cifs
    swapon -a -e 2>/dev/null
}
case "$1" in
    start|"") do_start ;;
esac
