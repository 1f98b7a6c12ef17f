#!/bin/bash
set -euo pipefail
u=${1:?login}
uid=$(id -u "$u")
(( uid >= 1000 )) || { echo "refusing system account $u" >&2; exit 1; }
read -rp "Disable $u ($(getent passwd "$u" | cut -d: -f5))? Type the login to confirm: " again
[ "$again" = "$u" ] || exit 1

usermod -L -e 1 -s /usr/sbin/nologin "$u"
loginctl terminate-user "$u" 2>/dev/null || true
home=$(getent passwd "$u" | cut -d: -f6)
[ -f "$home/.ssh/authorized_keys" ] && mv "$home/.ssh/authorized_keys" "$home/.ssh/authorized_keys.disabled"
crontab -u "$u" -l >"/var/backups/leavers/$u.cron" 2>/dev/null && crontab -u "$u" -r
tar -C "$(dirname "$home")" -cJf "/var/backups/leavers/$u-$(date +%F).tar.xz" "$(basename "$home")"
chmod 600 "/var/backups/leavers/$u-"*.tar.xz
rm -f "/etc/sudoers.d/$u"
visudo -cq
logger -p auth.notice -t offboard "$u disabled by ${SUDO_USER:-root}"
