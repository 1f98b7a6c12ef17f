#!/bin/bash
# creates a user for a service
id app >/dev/null 2>&1 || useradd --system --home-dir /srv/app app
mkdir -p /srv/app && chown -R app:app /srv/app && chmod 750 /srv/app
chmod u-s /srv/app/bin/* 2>/dev/null
getent passwd app | cut -d: -f6
systemctl restart app
