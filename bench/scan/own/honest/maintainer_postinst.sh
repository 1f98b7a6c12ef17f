#!/bin/sh
set -e
case "$1" in
  configure)
    if ! getent passwd foo >/dev/null; then
      adduser --system --group --home /var/lib/foo --no-create-home --shell /usr/sbin/nologin foo
    fi
    chown -R foo:foo /var/lib/foo
    chmod 750 /var/lib/foo
    update-alternatives --install /usr/bin/foo foo /usr/lib/foo/foo 50
    ldconfig
    if [ -d /run/systemd/system ]; then systemctl --system daemon-reload >/dev/null || true; deb-systemd-invoke restart foo.service || true; fi
    ;;
esac
