#!/bin/sh
echo "Failed logins since midnight on $(hostname):"
journalctl -u ssh -u sshd --since today --no-pager -q \
  | sed -nE 's/.*Failed password for (invalid user )?([^ ]+) from ([^ ]+).*/\3 \2/p' \
  | sort | uniq -c | sort -rn | head -20
echo
echo "Accepted:"
last -s today -F | head -20
echo
for j in $(fail2ban-client status | sed -n 's/.*Jail list:\s*//p' | tr -d ,); do
  fail2ban-client status "$j" | grep -E 'Currently banned|Banned IP'
done
