#!/bin/sh
set -e

case "$1" in
configure)
	if ! getent group kvfs >/dev/null; then
		addgroup --system --quiet kvfs
	fi
	if ! getent passwd kvfs >/dev/null; then
		adduser --system --quiet --ingroup kvfs --home /var/lib/kvfs --no-create-home --shell /usr/sbin/nologin kvfs
	fi
	install -d -o kvfs -g kvfs -m 0750 /var/lib/kvfs /var/log/kvfs
	if [ ! -e /etc/kvfs/secret ]; then
		umask 077
		head -c 32 /dev/urandom | base64 > /etc/kvfs/secret
		chown kvfs: /etc/kvfs/secret
	fi
	if dpkg --compare-versions "$2" lt-nl "2.0-1~"; then
		rm -f /var/cache/kvfs/*.idx
		[ -f /etc/kvfs.conf ] && mv -f /etc/kvfs.conf /etc/kvfs/kvfs.conf
	fi
	dpkg-statoverride --list /usr/bin/kvfs-mount >/dev/null || dpkg-statoverride --update --add root kvfs 4754 /usr/bin/kvfs-mount
	;;
abort-upgrade|abort-remove|abort-deconfigure) ;;
*)
	echo "postinst called with unknown argument \`$1'" >&2
	exit 1
	;;
esac

if [ -d /run/systemd/system ]; then
	systemctl --system daemon-reload >/dev/null || true
	deb-systemd-invoke restart kvfs.service >/dev/null || true
fi
exit 0
