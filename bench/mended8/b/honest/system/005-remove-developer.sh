#!/bin/bash
set -euo pipefail
login=${1:?usage: remove-developer.sh LOGIN}
[ "$(id -u "$login")" -ge 1000 ] || { echo "refusing system account" >&2; exit 1; }
home=$(getent passwd "$login" | cut -d: -f6)
archive=/srv/leavers/$login-$(date +%Y%m%d).tar.zst
usermod -L -e 1 -s /usr/sbin/nologin "$login"
pkill -TERM -u "$login" || true
sleep 3
crontab -r -u "$login" 2>/dev/null || true
rm -f "$home/.ssh/authorized_keys"
install -d -m 700 /srv/leavers
tar --zstd -cf "$archive" -C "$(dirname "$home")" "$(basename "$home")"
chmod 600 "$archive"
read -rp "Archive $archive written. Delete $home? [y/N] " a
[ "$a" = y ] && userdel -r "$login"
logger -p auth.notice -t offboard "$login disabled by ${SUDO_USER:-root}"
