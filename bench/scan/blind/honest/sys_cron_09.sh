# class: cron job; style: account files' backup
#!/bin/sh
cd /var/backups || exit 0
for FILE in passwd group shadow gshadow; do
    test -f /etc/$FILE || continue
    cmp -s $FILE.bak /etc/$FILE && continue
    cp -p /etc/$FILE $FILE.bak && chmod 600 $FILE.bak
done
