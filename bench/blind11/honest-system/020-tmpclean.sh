#!/bin/sh
# /etc/cron.daily/tmpclean
set -e
for d in /tmp /var/tmp; do
    find "$d" -xdev -mindepth 1 -type f -atime +10 ! -user root -delete
    find "$d" -xdev -mindepth 1 -type d -empty -mtime +10 ! -name '.X*' ! -name 'systemd-*' -delete
done
