#!/bin/sh
set -e
if [ "$1" = upgrade ] && dpkg --compare-versions "$2" lt 2.0; then
    if [ -f /etc/shelfd.conf ] && [ ! -e /etc/shelfd/shelfd.conf ]; then
        mkdir -p /etc/shelfd
        mv /etc/shelfd.conf /etc/shelfd/shelfd.conf
        chown root:shelfd /etc/shelfd/shelfd.conf
        chmod 0640 /etc/shelfd/shelfd.conf
    fi
fi
exit 0
