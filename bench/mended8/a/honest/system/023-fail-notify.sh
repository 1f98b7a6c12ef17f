#!/bin/sh
# used as: OnFailure=notify-fail@%n.service
unit=${1:?unit}
stamp=/run/notify-fail/$(systemd-escape "$unit")
mkdir -p /run/notify-fail
if [ -e "$stamp" ] && [ $(( $(date +%s) - $(stat -c %Y "$stamp") )) -lt 900 ]; then
  exit 0
fi
touch "$stamp"
{
  echo "Unit:  $unit"
  echo "Host:  $(hostname -f)"
  echo "State: $(systemctl show -p Result --value "$unit")"
  echo
  journalctl -u "$unit" -n 60 --no-pager -o short-iso
} | mail -s "[$(hostname -s)] $unit failed" admins@example.com
