# class: cron job; style: log rotation
#!/bin/sh
[ -d /run/systemd/system ] && exit 0
[ -x /usr/sbin/logrotate ] || exit 0
/usr/sbin/logrotate /etc/logrotate.conf
EXITVALUE=$?
if [ $EXITVALUE != 0 ]; then
    /usr/bin/logger -t logrotate "ALERT exited abnormally with [$EXITVALUE]"
fi
exit $EXITVALUE
