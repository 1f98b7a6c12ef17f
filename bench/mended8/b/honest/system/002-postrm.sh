#!/bin/sh
set -e
if [ "$1" = purge ]; then
    rm -rf /var/lib/metricsd /var/log/metricsd /etc/metricsd
    if command -v deluser >/dev/null; then
        deluser --quiet --system metricsd || true
    fi
    if [ -x /usr/bin/deb-systemd-helper ]; then
        deb-systemd-helper purge metricsd.service >/dev/null || true
        deb-systemd-helper unmask metricsd.service >/dev/null || true
    fi
fi
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    systemctl --system daemon-reload >/dev/null || true
fi
exit 0
