#!/bin/sh
set -e
case "$1" in
purge)
  rm -rf /etc/quagmire /var/lib/quagmire /var/log/quagmire /var/cache/quagmire
  rm -f /etc/cron.d/quagmire /etc/cron.d/quagmire.dpkg-* /etc/default/quagmire /etc/sudoers.d/quagmire /var/log/quagmire.log*
  if getent passwd quagmire > /dev/null; then deluser --quiet --system quagmire || true; fi
  if getent group quagmire > /dev/null; then delgroup --quiet quagmire || true; fi
  ;;
remove) rm -f /lib/systemd/system/quagmire.service ; systemctl daemon-reload || true ;;
esac
