#!/bin/sh
set -u
. /etc/default/tmpclean 2>/dev/null || true
TMPTIME=${TMPTIME:-7}
for d in /tmp /var/tmp; do
  [ -d "$d" ] || continue
  find "$d" -xdev -mindepth 1 \
    ! -path "$d/.X11-unix*" ! -path "$d/.ICE-unix*" ! -path "$d/systemd-private-*" \
    -type f -atime +"$TMPTIME" -mtime +"$TMPTIME" -delete
  find "$d" -xdev -mindepth 1 -type d -empty -mtime +"$TMPTIME" ! -name '.*-unix' -exec rmdir {} \; 2>/dev/null
done
