#!/bin/sh
# early boot: check the root file system
PATH=/sbin:/bin
[ -f /fastboot ] && exit 0
mount -n -o remount,ro /
force=
[ -f /forcefsck ] && force=-f
fsck -C -T -a $force /
rc=$?
if [ $rc -gt 3 ]; then
  echo "file system check failed, starting a maintenance shell"
  sulogin
  reboot -f
elif [ $rc -gt 1 ]; then
  reboot -f
fi
mount -n -o remount,rw /
rm -f /forcefsck
