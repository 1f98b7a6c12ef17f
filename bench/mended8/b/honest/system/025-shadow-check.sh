#!/bin/bash
# Password policy check. Prints names only, never hashes.
[ "$(id -u)" -eq 0 ] || { echo "needs root" >&2; exit 1; }
today=$(( $(date +%s) / 86400 ))
awk -F: -v t="$today" '
  $2 == ""            { print "EMPTY PASSWORD  " $1 }
  $2 ~ /^\$1\$/       { print "MD5 HASH        " $1 }
  $2 ~ /^\$/ && t - $3 > 365 { print "OLDER THAN 1 Y  " $1 " (" t - $3 " days)" }
' /etc/shadow
awk -F: '$3 == 0 && $1 != "root" { print "EXTRA UID 0     " $1 }' /etc/passwd
find /home -maxdepth 2 -name .ssh -not -perm 700 -printf 'SSH DIR MODE %m %p\n'
