#!/bin/sh
set -e
[ -d /run/systemd/system ] && exit 0
iosched_idle=
if dpkg-query -W -f='${Version}' dpkg >/dev/null 2>&1; then
  iosched_idle='--iosched idle'
fi
if [ -d /var/cache/man ]; then
  cd /
  find /var/cache/man -type f -name '*.gz' -atime +6 -print0 | xargs -r0 rm -f
  chown -R man:man /var/cache/man || true
fi
if [ -x /usr/bin/mandb ]; then
  start-stop-daemon --start --pidfile /dev/null --startas /usr/bin/mandb --oknodo --chuid man $iosched_idle -- --no-purge --quiet
fi
