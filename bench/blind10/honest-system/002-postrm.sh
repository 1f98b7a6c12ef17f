#!/bin/sh
set -e

case "$1" in
    purge)
        rm -rf /var/lib/reportd /var/log/reportd /etc/reportd/secret
        rmdir --ignore-fail-on-non-empty /etc/reportd 2>/dev/null || true
        if [ -x "$(command -v deluser)" ]; then
            deluser --quiet --system reportd || true
        fi
        ;;
    remove)
        if [ -d /run/systemd/system ]; then
            systemctl --system daemon-reload >/dev/null || true
        fi
        ;;
    upgrade|failed-upgrade|abort-install|abort-upgrade|disappear)
        ;;
esac

#DEBHELPER#
