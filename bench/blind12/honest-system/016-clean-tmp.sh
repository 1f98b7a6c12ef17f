#!/bin/sh
# like tmpreaper
find /tmp /var/tmp -xdev -mindepth 1 -type f -atime +10 -not -path '*/systemd-private-*' -delete
find /tmp /var/tmp -xdev -mindepth 1 -type d -empty -mtime +10 -delete
find /var/cache/man -type f -name '*.gz' -atime +60 -delete 2>/dev/null
exit 0
