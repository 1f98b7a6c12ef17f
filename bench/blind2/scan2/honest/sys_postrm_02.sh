# class: maintainer script, postrm; style: purge
#!/bin/sh
set -e
if [ "$1" = purge ]; then
    rm -rf /var/lib/quoted /var/log/quoted /var/cache/quoted
    if getent passwd quoted >/dev/null; then
        deluser --quiet --system quoted || true
    fi
    delgroup --quiet --system --only-if-empty quoted || true
    if [ -e /usr/share/debconf/confmodule ]; then
        . /usr/share/debconf/confmodule
        db_purge
    fi
    rm -f /etc/default/quoted /etc/cron.d/quoted
fi
[ -d /run/systemd/system ] && systemctl --system daemon-reload >/dev/null || true
