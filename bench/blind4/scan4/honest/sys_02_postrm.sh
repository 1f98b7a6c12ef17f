#!/bin/sh
# maintainer script: after removal and purge
set -e
if [ "$1" = purge ]; then
  rm -rf /var/lib/metricd /var/log/metricd
  rm -f /etc/default/metricd /etc/logrotate.d/metricd
  if getent passwd _metricd >/dev/null; then
    deluser --quiet --system _metricd || true
  fi
fi
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
fi
