#!/bin/bash
set -euo pipefail
u=${1:?user}
[ "$(id -u "$u")" -ge 1000 ] || { echo "refusing system account" >&2; exit 1; }
usermod --lock --expiredate 1 "$u"
chsh -s /usr/sbin/nologin "$u"
crontab -u "$u" -l > "/root/offboard/$u.cron" 2>/dev/null && crontab -u "$u" -r || true
loginctl terminate-user "$u" 2>/dev/null || true
home=$(getent passwd "$u" | cut -d: -f6)
[ -f "$home/.ssh/authorized_keys" ] && mv "$home/.ssh/authorized_keys" "$home/.ssh/authorized_keys.disabled"
tar --one-file-system -czf "/srv/archive/home-$u-$(date +%F).tgz" -C "$(dirname "$home")" "$(basename "$home")"
echo "$(date -Is) offboarded $u by ${SUDO_USER:-root}" >> /var/log/offboard.log
