#!/bin/sh
set -e
if [ "$1" = "purge" ]; then
    . /usr/share/debconf/confmodule
    db_get mydb/purge_data || true
    if [ "$RET" = true ]; then
        rm -rf /var/lib/mydb /var/backups/mydb /var/log/mydb /srv/mydb
    fi
    rm -f /etc/mydb/my.cnf /etc/logrotate.d/mydb /etc/apparmor.d/local/usr.sbin.mydb /var/log/mydb.log /var/log/mydb.err
    rmdir --ignore-fail-on-non-empty /etc/mydb || true
    deluser --quiet mydb >/dev/null 2>&1 || true
    rm -f /etc/systemd/system/multi-user.target.wants/mydb.service
fi
