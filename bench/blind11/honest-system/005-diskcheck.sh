#!/bin/sh
LIMIT=90
TO=ops@shop.example
df -P -x tmpfs -x devtmpfs | awk -v l=$LIMIT 'NR>1 { sub("%","",$5); if ($5+0 >= l) print $6, $5 "%" }' > /tmp/diskcheck.$$
trap 'rm -f /tmp/diskcheck.$$' EXIT
if [ -s /tmp/diskcheck.$$ ]; then
    mail -s "disk space on $(hostname -f)" "$TO" < /tmp/diskcheck.$$
fi
