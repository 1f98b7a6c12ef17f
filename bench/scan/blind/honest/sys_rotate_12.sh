# class: log rotation; style: own, compress and truncate
#!/bin/sh
LOG=/var/log/app/app.log
[ -s "$LOG" ] || exit 0
i=6
while [ $i -gt 0 ]; do
    [ -f "$LOG.$i.gz" ] && mv "$LOG.$i.gz" "$LOG.$((i + 1)).gz"
    i=$((i - 1))
done
gzip -c "$LOG" > "$LOG.1.gz" && : > "$LOG"
rm -f "$LOG.8.gz"
