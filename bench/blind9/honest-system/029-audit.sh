#!/bin/bash
# monthly account review, read only
echo "### accounts with uid 0"
awk -F: '$3 == 0 {print $1}' /etc/passwd
echo "### accounts without password"
awk -F: '$2 == "" {print $1}' /etc/shadow
echo "### passwords older than a year"
today=$(( $(date +%s) / 86400 ))
awk -F: -v t=$today '$2 ~ /^\$/ && t - $3 > 365 {print $1, t - $3, "days"}' /etc/shadow
echo "### sudo rules without password"
grep -rhE '^[^#]*NOPASSWD' /etc/sudoers /etc/sudoers.d/ 2>/dev/null
echo "### setuid programs not owned by a package"
find / -xdev -perm -4000 -type f 2>/dev/null | while read -r f; do
  dpkg -S "$f" >/dev/null 2>&1 || ls -l "$f"
done
echo "### keys per account"
for f in /root/.ssh/authorized_keys /home/*/.ssh/authorized_keys; do
  [ -f "$f" ] && echo "$f $(grep -c '^[^#]' "$f")"
done
echo "### world writable in /etc"
find /etc -xdev -type f -perm -0002 -ls
echo "### failed logins by address"
journalctl -u ssh --since -30d -o cat | grep -oP 'Failed password .* from \K\S+' | sort | uniq -c | sort -rn | head
