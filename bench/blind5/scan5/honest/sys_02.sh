#!/bin/sh
set -e
case "$1" in
  configure)
    if ! getent passwd mqd >/dev/null; then
      adduser --system --group --home /var/lib/mqd --no-create-home mqd
    fi
    install -d -o mqd -g mqd -m 0750 /var/lib/mqd /var/log/mqd
    if [ -d /run/systemd/system ]; then systemctl daemon-reload; deb-systemd-invoke start mqd.service || true; fi
    ;;
esac
