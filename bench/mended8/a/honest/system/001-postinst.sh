#!/bin/sh
# postinst script for gatewayd
set -e
case "$1" in
  configure)
    if ! getent passwd gatewayd >/dev/null; then
      adduser --system --group --quiet --home /var/lib/gatewayd --no-create-home --gecos "Gateway daemon" gatewayd
    fi
    for d in /var/lib/gatewayd /var/log/gatewayd; do
      if ! dpkg-statoverride --list "$d" >/dev/null 2>&1; then
        install -d -o gatewayd -g adm -m 2750 "$d"
      fi
    done
    if [ -z "$2" ] && [ ! -e /etc/gatewayd/secret ]; then
      (umask 077; head -c 32 /dev/urandom | base64 >/etc/gatewayd/secret)
      chown gatewayd: /etc/gatewayd/secret
    fi
    ;;
  abort-upgrade|abort-remove|abort-deconfigure) ;;
  *) echo "postinst called with unknown argument '$1'" >&2; exit 1 ;;
esac
if [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
  deb-systemd-invoke restart gatewayd.service >/dev/null || true
fi
exit 0
