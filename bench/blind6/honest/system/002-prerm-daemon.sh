#!/bin/sh
set -e
if [ "$1" = remove ] || [ "$1" = deconfigure ]; then
  if [ -d /run/systemd/system ]; then
    deb-systemd-invoke stop metricd.service >/dev/null || true
  elif [ -x /etc/init.d/metricd ]; then
    invoke-rc.d metricd stop || exit $?
  fi
fi
case "$1" in
  remove|upgrade|deconfigure|failed-upgrade) ;;
  *) echo "prerm called with unknown argument '$1'" >&2; exit 1 ;;
esac
