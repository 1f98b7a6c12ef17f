# class: maintainer script, postrm; style: purge
#!/bin/sh
set -e
if [ "$1" = purge ]; then
    rm -rf /var/lib/mydaemon /var/log/mydaemon /var/cache/mydaemon
    rm -f /etc/mydaemon/local.conf
    rmdir --ignore-fail-on-non-empty /etc/mydaemon 2>/dev/null || true
    if command -v deluser > /dev/null; then
        deluser --quiet --system mydaemon > /dev/null || true
    fi
fi
