#!/bin/bash
# house backup, v3. Weekly full, daily differential, copies to the NAS and to tape when there is one.
set -u
LEVEL=1; [ "$(date +%u)" = 7 ] && LEVEL=0
DIRS="/etc /home /root /var/lib /srv"
DEST=/backup/$(hostname -s)
SNAR=$DEST/snar
LOG=/var/log/backup.log
exec >> $LOG 2>&1
echo "=== $(date) level $LEVEL"
mount /backup || { echo "no backup disk"; exit 1; }
trap 'umount /backup' EXIT
mkdir -p $DEST
[ $LEVEL = 0 ] && rm -f $SNAR
tar --one-file-system --listed-incremental=$SNAR -czpf $DEST/$(date +%Y%m%d).$LEVEL.tgz $DIRS --exclude=/var/lib/docker
cp -p /etc/shadow $DEST/shadow.$(date +%u) && chmod 600 $DEST/shadow.*
dpkg --get-selections > $DEST/selections
mysqldump --defaults-file=/root/.my.cnf --all-databases | gzip > $DEST/mysql.$(date +%u).gz
rsync -a --delete $DEST/ nas:/volume1/backup/$(hostname -s)/
find $DEST -name '*.tgz' -mtime +35 -exec rm -f {} \;
[ -c /dev/st0 ] && tar -cf /dev/st0 $DEST
