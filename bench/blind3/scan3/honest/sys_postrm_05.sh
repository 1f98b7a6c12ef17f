#!/bin/sh
set -e
if [ "$1" = purge ]; then
	for f in ~ .bak .dpkg-old; do rm -f "/etc/kvfs/kvfs.conf$f"; done
	rm -rf /var/lib/kvfs /var/log/kvfs /etc/kvfs
	if which ucf >/dev/null 2>&1; then
		ucf --purge /etc/kvfs/kvfs.conf
	fi
	deluser --quiet --system kvfs || true
	delgroup --quiet --system kvfs || true
fi
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
	systemctl --system daemon-reload >/dev/null || true
fi
if [ -x /usr/bin/deb-systemd-helper ]; then
	if [ "$1" = purge ]; then
		deb-systemd-helper purge kvfs.service >/dev/null
		deb-systemd-helper unmask kvfs.service >/dev/null
	fi
fi
