#!/bin/sh
addgroup -S redis 2>/dev/null
adduser -S -D -H -h /var/lib/redis -s /sbin/nologin -G redis -g redis redis 2>/dev/null
install -d -o redis -g redis -m 0750 /var/lib/redis /var/log/redis
ln -sf /etc/init.d/redis /etc/runlevels/default/redis
exit 0
