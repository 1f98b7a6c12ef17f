#!/bin/sh
set -e
if [ "$1" = purge ]; then
  rm -rf /var/lib/metricd /var/log/metricd /etc/metricd
  rm -f /etc/logrotate.d/metricd
  if command -v deluser >/dev/null; then
    deluser --quiet --system metricd 2>/dev/null || true
  fi
  if [ -x /usr/bin/deb-systemd-helper ]; then
    deb-systemd-helper purge metricd.service >/dev/null || true
    deb-systemd-helper unmask metricd.service >/dev/null || true
  fi
fi
exit 0
