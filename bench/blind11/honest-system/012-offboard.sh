#!/bin/bash
set -euo pipefail
u=${1:?login}
id "$u" >/dev/null
usermod -L -e 1 "$u"
pkill -KILL -u "$u" || true
crontab -r -u "$u" 2>/dev/null || true
tar czf "/srv/archive/$u-$(date +%F).tar.gz" -C /home "$u"
chmod 600 "/srv/archive/$u-"*.tar.gz
mv "/home/$u/.ssh/authorized_keys" "/home/$u/.ssh/authorized_keys.off" 2>/dev/null || true
logger -t offboard "account $u locked by ${SUDO_USER:-root}"
