#!/bin/sh
# /etc/cron.daily/thumbcache
test -x /usr/bin/find || exit 0
nice -n 10 find /var/cache/thumbs -xdev -type f -atime +30 -delete
nice -n 10 find /var/cache/thumbs -xdev -mindepth 1 -type d -empty -delete
[ -s /var/log/thumbs.log ] && savelog -q -c 7 /var/log/thumbs.log
if [ "$(df --output=pcent /var/cache | tail -1 | tr -dc 0-9)" -gt 90 ]; then
    logger -p daemon.warning -t thumbcache "cache almost full"
    echo "thumbnail cache on $(hostname) almost full" | mail -s "disk" root
fi
exit 0
