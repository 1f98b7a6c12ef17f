#!/usr/bin/env bash
# offboard.sh <login>: lock the account, stop its processes, keep an archive of its home
set -euo pipefail
u=${1:?login}
id "$u" >/dev/null
[ "$(id -u "$u")" -ge 1000 ] || { echo "not a personal account" >&2; exit 1; }

usermod --lock --expiredate 1 --shell /usr/sbin/nologin "$u"
crontab -r -u "$u" 2>/dev/null || true
loginctl terminate-user "$u" 2>/dev/null || true
pkill -TERM -u "$u" || true
sleep 5
pkill -KILL -u "$u" || true

home=$(getent passwd "$u" | cut -d: -f6)
[ -f "$home/.ssh/authorized_keys" ] && mv "$home/.ssh/authorized_keys" "$home/.ssh/authorized_keys.off"
for g in sudo docker adm; do gpasswd -d "$u" "$g" 2>/dev/null || true; done

umask 077
tar czf "/srv/archive/$u-$(date +%F).tar.gz" -C "$(dirname "$home")" "$(basename "$home")"
logger -p auth.notice -t offboard "$u locked by ${SUDO_USER:-root}"
