#!/bin/sh
set -e
case "$1" in
  configure)
    if ! getent passwd metricd >/dev/null; then
      adduser --system --group --home /var/lib/metricd --no-create-home --quiet metricd
    fi
    install -d -o metricd -g metricd -m 0750 /var/lib/metricd /var/log/metricd
    if [ -z "$2" ] && [ -f /etc/metricd/metricd.conf ]; then
      chown root:metricd /etc/metricd/metricd.conf
      chmod 0640 /etc/metricd/metricd.conf
    fi
    ;;
  abort-upgrade|abort-remove|abort-deconfigure) ;;
  *) echo "postinst called with unknown argument \`$1'" >&2; exit 1 ;;
esac
if [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
  deb-systemd-invoke start metricd.service >/dev/null || true
fi
exit 0
