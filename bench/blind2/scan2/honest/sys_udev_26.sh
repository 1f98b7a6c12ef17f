# class: udev helper; style: sysadmin
#!/bin/sh
# called by 99-usb.rules: RUN+="/usr/local/sbin/usb-mount %k add"
dev=/dev/$1
case $2 in
  add)
    label=$(blkid -o value -s LABEL "$dev" | tr -cd 'A-Za-z0-9_-'); label=${label:-$1}
    mkdir -p "/media/$label"
    mount -o nosuid,nodev,noexec,uid=1000,gid=1000 "$dev" "/media/$label" ;;
  remove) umount -l "$dev"; find /media -maxdepth 1 -type d -empty -delete ;;
esac
