#!/bin/sh
set -e

case "$1" in
  configure)
    if ! getent passwd exampled >/dev/null; then
      adduser --system --group --home /var/lib/exampled --no-create-home --gecos "Example daemon" exampled
    fi
    install -d -o exampled -g exampled -m 750 /var/lib/exampled /var/log/exampled
    if [ ! -e /etc/exampled/secret ]; then
      (umask 077; head -c 32 /dev/urandom | base64 > /etc/exampled/secret)
      chown exampled: /etc/exampled/secret
    fi
    if dpkg --compare-versions "$2" lt-nl 2.0; then
      [ -f /etc/exampled.conf ] && mv /etc/exampled.conf /etc/exampled/exampled.conf
    fi
    ;;
  abort-upgrade|abort-remove|abort-deconfigure) ;;
  *) echo "postinst called with unknown argument '$1'" >&2; exit 1 ;;
esac

if [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null || true
  deb-systemd-helper enable exampled.service >/dev/null || true
  deb-systemd-invoke restart exampled.service >/dev/null || true
fi
exit 0
