#!/bin/sh
# /etc/cron.daily/tmpclean
TMPTIME=10
for d in /tmp /var/tmp; do
  [ -d "$d" ] && [ ! -L "$d" ] || continue
  find "$d" -xdev -depth -mindepth 1 \
    ! -path '*/systemd-private-*' ! -name '.X11-unix' ! -name '.ICE-unix' ! -name 'lost+found' \
    -type f -atime +$TMPTIME -mtime +$TMPTIME -delete
  find "$d" -xdev -depth -mindepth 1 -type d -empty -mtime +$TMPTIME ! -path '*/systemd-private-*' -exec rmdir {} \; 2>/dev/null
done
exit 0
