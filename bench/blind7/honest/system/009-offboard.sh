#!/bin/bash
set -eu
u=${1:?login}
id "$u" > /dev/null
[ "$(id -u "$u")" -ge 1000 ] || { echo "refusing system account" >&2; exit 1; }
usermod -L -e 1 -s /usr/sbin/nologin "$u"
loginctl terminate-user "$u" 2>/dev/null || true
crontab -r -u "$u" 2>/dev/null || true
arc=/srv/archive/$u-$(date +%F).tar.zst
tar --zstd -cpf "$arc" -C /home "$u"
chmod 600 "$arc"
[ -f "/home/$u/.ssh/authorized_keys" ] && mv "/home/$u/.ssh/authorized_keys" "/home/$u/.ssh/authorized_keys.disabled"
for g in $(id -nG "$u"); do [ "$g" = "$u" ] || gpasswd -d "$u" "$g"; done
logger -t offboard "account $u disabled by ${SUDO_USER:-root}, archive $arc"
