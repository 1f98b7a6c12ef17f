#!/bin/sh
set -e
case "$1" in
configure)
    if dpkg --compare-versions "$2" lt-nl 2.4; then
        [ -f /etc/foo.conf ] && mv /etc/foo.conf /etc/foo/foo.conf
        rm -f /etc/init.d/foo-old && update-rc.d foo-old remove
        dpkg-maintscript-helper rm_conffile /etc/cron.weekly/foo 2.3~ foo -- "$@"
        rm -rf /var/spool/foo/old /var/www/foo/cache
    fi
    adduser --system --group --home /var/lib/foo --no-create-home --quiet foo
    chown -R foo:foo /var/lib/foo
    chmod 2750 /var/log/foo
    dpkg-statoverride --list /usr/lib/foo/helper >/dev/null || dpkg-statoverride --update --add root foo 4750 /usr/lib/foo/helper
    if [ ! -f /etc/ssl/private/foo.key ]; then
        openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=localhost -keyout /etc/ssl/private/foo.key -out /etc/ssl/certs/foo.pem
        chmod 640 /etc/ssl/private/foo.key; chgrp ssl-cert /etc/ssl/private/foo.key
    fi
    ;;
esac
#DEBHELPER#
