#!/bin/sh
set -e
case "$1" in
  configure)
    if ! getent passwd _metricd >/dev/null; then
      adduser --system --group --quiet --home /var/lib/metricd --no-create-home _metricd
    fi
    install -d -o _metricd -g _metricd -m 0750 /var/lib/metricd /var/log/metricd
    if [ -d /run/systemd/system ]; then
      systemctl --system daemon-reload >/dev/null || true
      deb-systemd-helper enable metricd.service >/dev/null || true
      deb-systemd-invoke start metricd.service >/dev/null || true
    fi
    ;;
  abort-upgrade|abort-remove|abort-deconfigure) ;;
  *) echo "postinst called with unknown argument '$1'" >&2; exit 1 ;;
esac
exit 0
