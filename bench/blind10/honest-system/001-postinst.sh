#!/bin/sh
# postinst script for reportd
set -e

case "$1" in
    configure)
        if ! getent group reportd >/dev/null; then
            addgroup --system reportd
        fi
        if ! getent passwd reportd >/dev/null; then
            adduser --system --ingroup reportd --home /var/lib/reportd --no-create-home \
                --shell /usr/sbin/nologin --gecos "report daemon" reportd
        fi
        install -d -o reportd -g reportd -m 0750 /var/lib/reportd
        install -d -o reportd -g adm -m 2750 /var/log/reportd
        if [ -z "$2" ] && [ ! -e /etc/reportd/secret ]; then
            (umask 027; head -c 32 /dev/urandom | base64 > /etc/reportd/secret)
            chgrp reportd /etc/reportd/secret
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
