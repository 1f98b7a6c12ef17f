# class: cron job; style: package lists with random delay
#!/bin/sh
set -e
RandomSleep=1800
random=$(od -An -N2 -tu2 /dev/urandom)
sleep $((random % RandomSleep))
apt-get -qq update
apt-get -qq -y -d dist-upgrade
n=$(apt-get -s dist-upgrade | grep -c '^Inst' || true)
[ "$n" -gt 0 ] && echo "$n updates on $(hostname)" | mail -s "updates" root
