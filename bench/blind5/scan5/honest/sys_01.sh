#!/bin/sh
# /etc/cron.daily/cachedir
set -e
test -x /usr/sbin/cachedird || exit 0
find /var/cache/cachedird -type f -atime +30 -delete
logger -t cachedir "pruned"
