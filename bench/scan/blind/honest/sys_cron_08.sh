# class: cron job; style: daily cleaning of old files
#!/bin/sh
test -x /usr/bin/find || exit 0
find /var/cache/mydaemon -xdev -type f -mtime +14 -delete
find /tmp -xdev -user www-data -name 'sess_*' -cmin +60 -exec rm -f {} \;
