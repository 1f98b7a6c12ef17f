#!/bin/sh
# rotates by hand where logrotate is not installed
LOGDIR=/var/log/appliance
KEEP=8
cd $LOGDIR || exit 1
for f in *.log; do
	[ -s "$f" ] || continue
	i=$KEEP
	while [ $i -gt 1 ]; do
		j=$((i - 1))
		[ -f "$f.$j.gz" ] && mv -f "$f.$j.gz" "$f.$i.gz"
		i=$j
	done
	cp -p "$f" "$f.1" && : > "$f"
	gzip -9f "$f.1"
done
[ -f /run/appliance.pid ] && kill -USR1 "$(cat /run/appliance.pid)"
find $LOGDIR -name '*.gz' -mtime +90 -exec rm {} +
