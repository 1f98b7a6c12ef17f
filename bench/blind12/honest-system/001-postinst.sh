#!/bin/sh
set -e
case "$1" in
configure)
    if ! getent passwd metricsd >/dev/null; then
        adduser --system --group --home /var/lib/metricsd --no-create-home metricsd
    fi
    install -d -o metricsd -g metricsd -m 0750 /var/lib/metricsd
    ;;
abort-upgrade|abort-remove|abort-deconfigure) ;;
*) echo "postinst called with unknown argument '$1'" >&2; exit 1 ;;
esac
if [ -d /run/systemd/system ]; then
    systemctl --system daemon-reload >/dev/null || true
    deb-systemd-invoke start metricsd.service || true
fi
exit 0
