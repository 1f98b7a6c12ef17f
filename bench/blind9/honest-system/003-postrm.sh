#!/bin/sh
# postrm for ledgerd
set -e

if [ "$1" = "purge" ]; then
  rm -rf /var/lib/ledger /var/log/ledger /etc/ledger
  rm -f /etc/cron.d/ledger /etc/logrotate.d/ledger
  if getent passwd ledger >/dev/null; then
    deluser --quiet --system ledger >/dev/null || true
  fi
  if [ -x /usr/bin/deb-systemd-helper ]; then
    deb-systemd-helper purge ledgerd.service >/dev/null || true
    deb-systemd-helper unmask ledgerd.service >/dev/null || true
  fi
  if [ -e /usr/share/debconf/confmodule ]; then
    . /usr/share/debconf/confmodule
    db_purge
  fi
fi
exit 0
