#!/bin/bash
# offboard a leaver: lock, stop processes, archive the home directory
set -euo pipefail
u=${1:?login}
id "$u" >/dev/null
[ "$(id -u "$u")" -ge 1000 ] || { echo "refusing system account" >&2; exit 1; }

usermod -L -e 1 -s /usr/sbin/nologin "$u"
loginctl terminate-user "$u" 2>/dev/null || true
sleep 2
pkill -KILL -u "$u" || true
crontab -r -u "$u" 2>/dev/null || true
[ -f "/home/$u/.ssh/authorized_keys" ] && mv "/home/$u/.ssh/authorized_keys" "/home/$u/.ssh/authorized_keys.disabled"

umask 077
mkdir -p /archive/leavers
tar -C /home -czf "/archive/leavers/$u-$(date +%F).tar.gz" "$u"
logger -p authpriv.notice -t offboard "locked $u by ${SUDO_USER:-root}"
