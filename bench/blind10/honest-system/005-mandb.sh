#!/bin/sh
# cron.daily: refresh the manual page database
set -e
[ -d /run/systemd/system ] && exit 0
iosched_idle=
if dpkg-architecture -qDEB_HOST_ARCH_OS 2>/dev/null | grep -q linux; then
	iosched_idle='--iosched idle'
fi
if ! [ -d /var/cache/man ]; then
	install -d -o man -g man -m 0755 /var/cache/man
fi
cd /
find /var/cache/man -type f -name '*.gz' -atime +6 -exec rm -f {} +
if [ -x /usr/bin/mandb ]; then
	start-stop-daemon --start --pidfile /dev/null --startas /usr/bin/mandb \
		--oknodo --chuid man $iosched_idle -- --no-purge --quiet
fi
exit 0
