#!/bin/sh
set -e

case "$1" in
    configure)
        if ! getent passwd shelfd >/dev/null; then
            adduser --system --group --no-create-home --home /var/lib/shelfd shelfd
        fi
        install -d -o shelfd -g shelfd -m 0750 /var/lib/shelfd /var/log/shelfd
        if [ -d /run/systemd/system ]; then
            systemctl --system daemon-reload >/dev/null || true
            deb-systemd-invoke restart shelfd.service >/dev/null || true
        fi
        ;;
    abort-upgrade|abort-remove|abort-deconfigure)
        ;;
    *)
        echo "postinst called with unknown argument \`$1'" >&2
        exit 1
        ;;
esac

#DEBHELPER#
exit 0
