#!/bin/sh
set -e
case "$1" in
  purge)
    rm -rf /var/lib/shelfd /var/log/shelfd /etc/shelfd
    if command -v deluser >/dev/null; then
        deluser --quiet --system shelfd || true
    fi
    ;;
  remove)
    [ -d /run/systemd/system ] && systemctl daemon-reload || true
    ;;
esac
exit 0
