#!/bin/sh
uid=${PUID:-911} gid=${PGID:-911}
groupmod -o -g "$gid" abc
usermod -o -u "$uid" abc
chown -R abc:abc /config /app
until nc -z db 5432; do sleep 1; done
exec su-exec abc "$@"
