#!/bin/sh
set -e
OLD=/etc/metricsd.conf
NEW=/etc/metricsd/metricsd.conf
if [ "$1" = upgrade ] && dpkg --compare-versions "$2" lt "2.0"; then
    if [ -f "$OLD" ] && [ ! -e "$NEW" ]; then
        mkdir -p "${NEW%/*}"
        mv "$OLD" "$NEW"
    fi
fi
