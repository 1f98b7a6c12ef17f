#!/bin/bash
# weekly report on logins and rights for the administrator
{
  echo "== failed logins"; lastb -n 20
  echo "== sudo"; journalctl _COMM=sudo --since "7 days ago" --no-pager | grep COMMAND | tail -30
  echo "== accounts without password"; awk -F: '$2==""{print $1}' /etc/shadow
  echo "== uid 0"; awk -F: '$3==0{print $1}' /etc/passwd
  echo "== setuid files"; find / -xdev -perm -4000 -type f 2>/dev/null
  echo "== listening"; ss -tulpn
  echo "== keys"; for h in /root /home/*; do [ -f "$h/.ssh/authorized_keys" ] && wc -l "$h/.ssh/authorized_keys"; done
} | mail -s "audit $(hostname) $(date +%V)" security@acme.example
