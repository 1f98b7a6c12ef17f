#!/bin/sh
set -e

case "$1" in
  remove|deconfigure)
    if [ -d /run/systemd/system ]; then
      deb-systemd-invoke stop ledgerd.service >/dev/null || true
    elif [ -x /etc/init.d/ledgerd ]; then
      invoke-rc.d ledgerd stop || exit $?
    fi
    ;;
  upgrade|failed-upgrade) ;;
esac
exit 0
