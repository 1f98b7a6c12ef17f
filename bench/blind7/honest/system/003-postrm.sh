#!/bin/sh
set -e
if [ "$1" = purge ]; then
  rm -rf /var/lib/exampled /var/log/exampled /etc/exampled
  rm -f /etc/cron.d/exampled /etc/logrotate.d/exampled
  if getent passwd exampled >/dev/null; then
    deluser --quiet --system exampled || true
  fi
  if [ -x /usr/bin/deb-systemd-helper ]; then
    deb-systemd-helper purge exampled.service >/dev/null || true
    deb-systemd-helper unmask exampled.service >/dev/null || true
  fi
fi
if [ -d /run/systemd/system ]; then systemctl --system daemon-reload >/dev/null || true; fi
