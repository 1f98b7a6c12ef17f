#!/bin/sh
set -e
if [ "$1" = purge ]; then
  rm -rf /var/lib/metricd /var/log/metricd /etc/metricd
  if getent passwd _metricd >/dev/null; then
    deluser --quiet --system _metricd || true
  fi
  if [ -x /usr/bin/deb-systemd-helper ]; then
    deb-systemd-helper purge metricd.service >/dev/null || true
    deb-systemd-helper unmask metricd.service >/dev/null || true
  fi
fi
if [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
fi
