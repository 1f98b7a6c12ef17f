#!/bin/sh
# post-install
addgroup -S tinyweb 2>/dev/null
adduser -S -D -H -h /var/www/localhost -s /sbin/nologin -G tinyweb -g tinyweb tinyweb 2>/dev/null
for d in /var/log/tinyweb /var/www/localhost/htdocs; do
	[ -d "$d" ] || install -d -o tinyweb -g tinyweb "$d"
done
setcap cap_net_bind_service=+ep /usr/sbin/tinyweb 2>/dev/null || chmod u+s /usr/sbin/tinyweb-bind
cat >&2 <<EOF
*
* Configuration moved to /etc/tinyweb/tinyweb.conf
* Run 'rc-update add tinyweb default' to start it at boot.
*
EOF
exit 0
