# class: device helper; style: udev run script
#!/bin/sh
[ "$ACTION" = add ] || exit 0
name=$(basename "$DEVNAME")
mkdir -p "/media/$name"
mount -o nosuid,nodev,noexec "$DEVNAME" "/media/$name" || rmdir "/media/$name"
logger -t automount "$DEVNAME $ID_FS_LABEL"
