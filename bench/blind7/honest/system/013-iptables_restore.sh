#!/bin/bash
new=${1:-/etc/iptables/rules.v4.new}
cur=$(mktemp)
iptables-save > "$cur"
iptables-restore --test "$new" || { echo "syntax error in $new" >&2; exit 1; }
iptables-restore "$new"
if read -t 60 -rp "Rules active. Keep them? [y/N] " a && [ "$a" = y ]; then
  cp "$new" /etc/iptables/rules.v4
  echo saved
else
  iptables-restore "$cur"
  echo "rolled back"
fi
rm -f "$cur"
