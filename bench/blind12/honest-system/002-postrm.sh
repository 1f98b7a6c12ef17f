#!/bin/sh
set -e
if [ "$1" = purge ]; then
    rm -rf /var/lib/metricsd /var/log/metricsd
    rm -f /etc/default/metricsd
    deluser --quiet --system metricsd || true
fi
#DEBHELPER#
exit 0
