#!/bin/bash
# an employee leaves
u=${1:?login}
passwd -l "$u"; chage -E 0 "$u"; usermod -s /usr/sbin/nologin "$u"
pkill -KILL -u "$u" || true
crontab -r -u "$u" || true
tar czf "/srv/archive/home-$u-$(date +%F).tgz" -C /home "$u" && rm -rf "/home/$u"
rm -f "/etc/sudoers.d/$u" "/var/spool/cron/crontabs/$u"
gpasswd -d "$u" docker
mv /home/$u/.ssh/authorized_keys /home/$u/.ssh/authorized_keys.off 2>/dev/null
