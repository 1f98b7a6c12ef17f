#!/bin/sh
set -e
case "$1" in
  configure)
    if ! getent passwd metricsd >/dev/null; then
      adduser --system --group --home /var/lib/metricsd --no-create-home --shell /usr/sbin/nologin metricsd
    fi
    install -d -o metricsd -g metricsd -m 750 /var/lib/metricsd /var/log/metricsd
    [ -e /etc/metricsd/metricsd.conf ] || install -m 640 -g metricsd /usr/share/metricsd/default.conf /etc/metricsd/metricsd.conf
    if [ -d /run/systemd/system ]; then
      systemctl --system daemon-reload >/dev/null || true
      deb-systemd-helper enable metricsd.service >/dev/null || true
      deb-systemd-invoke start metricsd.service >/dev/null || true
    fi
    ;;
  abort-upgrade|abort-remove|abort-deconfigure) ;;
  *) echo "postinst called with unknown argument '$1'" >&2; exit 1 ;;
esac
exit 0
