#!/bin/sh
# poor man's logrotate for the appliance (no logrotate there)
DIR=/var/log/appliance
MAX=10485760
for f in "$DIR"/*.log; do
	[ -f "$f" ] || continue
	[ "$(stat -c %s "$f")" -gt $MAX ] || continue
	i=7
	while [ $i -gt 1 ]; do
		p=$((i - 1))
		[ -f "$f.$p.gz" ] && mv "$f.$p.gz" "$f.$i.gz"
		i=$p
	done
	cp -p "$f" "$f.1" && : > "$f"
	gzip -f "$f.1"
done
find "$DIR" -name '*.gz' -mtime +60 -delete
kill -HUP "$(cat /run/appliance.pid)" 2>/dev/null || true
