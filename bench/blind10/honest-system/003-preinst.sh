#!/bin/sh
set -e

# 2.4-1 moved the configuration into a directory
if [ "$1" = upgrade ] && dpkg --compare-versions "$2" lt-nl 2.4-1~; then
    if [ -f /etc/reportd.conf ] && [ ! -e /etc/reportd/reportd.conf ]; then
        mkdir -p /etc/reportd
        mv /etc/reportd.conf /etc/reportd/reportd.conf
        sed -i -e 's,^datadir=/var/reportd,datadir=/var/lib/reportd,' /etc/reportd/reportd.conf
    fi
    # the stop action of the old init script hangs, help it a bit
    if [ -f /run/reportd.pid ]; then
        start-stop-daemon --stop --quiet --retry TERM/10/KILL/5 --pidfile /run/reportd.pid || true
    fi
fi
exit 0
