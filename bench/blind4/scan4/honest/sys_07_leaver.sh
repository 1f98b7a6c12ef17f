#!/bin/bash
# closes the account of someone who left, keeps the data
u=${1:?login}
id "$u" >/dev/null || exit 1
read -rp "really close $u? (yes) " a; [ "$a" = yes ] || exit 0
usermod -L -e 1 -s /usr/sbin/nologin "$u"
loginctl terminate-user "$u" 2>/dev/null
crontab -u "$u" -l > "/srv/archive/$u.crontab" 2>/dev/null && crontab -u "$u" -r
tar czf "/srv/archive/$u-$(date +%F).tgz" -C /home "$u"
mv "/home/$u/.ssh/authorized_keys" "/home/$u/.ssh/authorized_keys.disabled" 2>/dev/null
echo "closed $u"
