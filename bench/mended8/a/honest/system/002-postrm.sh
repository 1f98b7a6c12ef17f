#!/bin/sh
set -e
if [ "$1" = purge ]; then
  rm -rf /var/lib/gatewayd /var/log/gatewayd /etc/gatewayd
  if getent passwd gatewayd >/dev/null; then
    if command -v deluser >/dev/null; then
      deluser --quiet --system gatewayd || true
    fi
  fi
  if [ -x /usr/bin/deb-systemd-helper ]; then
    deb-systemd-helper purge gatewayd.service >/dev/null || true
    deb-systemd-helper unmask gatewayd.service >/dev/null || true
  fi
fi
[ -d /run/systemd/system ] && systemctl --system daemon-reload >/dev/null || true
exit 0
