#!/bin/sh
[ -r /etc/lsb-release ] && . /etc/lsb-release
printf 'Welcome to %s (%s %s %s)\n\n' "${DISTRIB_DESCRIPTION:-Linux}" "$(uname -o)" "$(uname -r)" "$(uname -m)"
load=$(cut -d' ' -f1 /proc/loadavg)
mem=$(free | awk '/^Mem:/ {printf "%.0f%%", $3/$2*100}')
disk=$(df -h / | awk 'NR==2 {print $5 " of " $2}')
users=$(who | wc -l)
printf '  System load:  %-12s Users logged in: %s\n  Memory usage: %-12s Usage of /:      %s\n' "$load" "$users" "$mem" "$disk"
if [ -f /run/reboot-required ]; then
  echo; echo '*** System restart required ***'
fi
