#!/bin/bash
[ "$(id -u)" = 0 ] || { echo "root needed"; exit 1; }
echo "Accounts with uid 0:"; awk -F: '$3 == 0 {print "  " $1}' /etc/passwd
echo "Accounts without password:"; awk -F: '$2 == "" {print "  " $1}' /etc/shadow
echo "Locked but with a shell:"
while IFS=: read -r u _ uid _ _ _ sh; do
  [ "$uid" -ge 1000 ] && [ "$sh" = /bin/bash ] && passwd -S "$u" | awk '$2 == "L" {print "  " $1}'
done < /etc/passwd
echo "Passwords older than a year:"
for u in $(awk -F: '$3 >= 1000 && $3 < 60000 {print $1}' /etc/passwd); do
  d=$(awk -F: -v u="$u" '$1 == u {print $3}' /etc/shadow)
  [ -n "$d" ] && [ $(( $(date +%s) / 86400 - d )) -gt 365 ] && echo "  $u"
done
echo "authorized_keys:"
for h in /root /home/*; do
  f=$h/.ssh/authorized_keys
  [ -f "$f" ] && printf '  %s: %d keys, changed %s\n' "$f" "$(grep -cE '^(ssh|ecdsa)' "$f")" "$(date -r "$f" +%F)"
done
echo "World-writable in /etc:"; find /etc -xdev -type f -perm -0002
