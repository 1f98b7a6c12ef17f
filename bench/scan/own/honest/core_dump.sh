#!/bin/bash
# a core of our server before it is restarted
pid=$(systemctl show -p MainPID --value shopd)
[ "$pid" -gt 0 ] || exit 0
gcore -o /var/crash/shopd "$pid"
gdb -batch -ex 'thread apply all bt' /usr/bin/shopd "/var/crash/shopd.$pid" > /var/crash/bt.txt
systemctl restart shopd
find /var/crash -name 'shopd.*' -mtime +7 -delete
