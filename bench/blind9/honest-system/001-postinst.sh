#!/bin/sh
# postinst script for ledgerd
set -e

case "$1" in
  configure)
    if ! getent group ledger >/dev/null; then
      addgroup --system ledger
    fi
    if ! getent passwd ledger >/dev/null; then
      adduser --system --ingroup ledger --home /var/lib/ledger --no-create-home \
              --shell /usr/sbin/nologin --gecos "ledger daemon" ledger
    fi
    install -d -m 0750 -o ledger -g ledger /var/lib/ledger /var/log/ledger
    if ! dpkg-statoverride --list /etc/ledger/ledger.conf >/dev/null 2>&1; then
      chown root:ledger /etc/ledger/ledger.conf
      chmod 0640 /etc/ledger/ledger.conf
    fi
    ;;
  abort-upgrade|abort-remove|abort-deconfigure) ;;
  *)
    echo "postinst called with unknown argument '$1'" >&2
    exit 1
    ;;
esac

if [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
  deb-systemd-helper enable ledgerd.service >/dev/null || true
  deb-systemd-invoke restart ledgerd.service >/dev/null || true
fi
#DEBHELPER#
exit 0
