#!/bin/sh
# failed logins by address, for the report
zcat -f /var/log/auth.log* |
  awk '/Failed password/ {for (i = 1; i <= NF; i++) if ($i == "from") n[$(i + 1)]++} END {for (a in n) print n[a], a}' |
  sort -rn | head -20 > failed.txt
last -n 20 >> failed.txt
awk -F: '$3 == 0 {print "uid 0:", $1}' /etc/passwd >> failed.txt
cat failed.txt
