#!/bin/sh
# update our A record when the uplink address changes (cron, every 5 min)
set -e
HOST=office.shop.example
KEY=/etc/ddns/office.key
STATE=/var/lib/ddns/last
now=$(ip -4 -o addr show dev ppp0 | awk '{split($4,a,"/"); print a[1]}')
[ -n "$now" ] || exit 1
[ -f $STATE ] && [ "$(cat $STATE)" = "$now" ] && exit 0
nsupdate -k $KEY <<EOF
server ns1.shop.example
zone shop.example
update delete $HOST A
update add $HOST 300 A $now
send
EOF
echo "$now" > $STATE
logger -t ddns "$HOST -> $now"
