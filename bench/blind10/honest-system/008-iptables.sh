#!/bin/bash
# load new rules, roll back unless the operator confirms
set -u
NEW=${1:-/etc/iptables/rules.v4.new}
OLD=$(mktemp)
iptables-save > "$OLD"

iptables-restore --test < "$NEW" || { echo "syntax error in $NEW" >&2; exit 1; }
iptables-restore < "$NEW"
echo "new rules are active; type yes within 30 seconds to keep them"
if read -r -t 30 answer && [ "$answer" = yes ]; then
  cp "$NEW" /etc/iptables/rules.v4
  echo "kept"
else
  iptables-restore < "$OLD"
  echo "rolled back"
fi
rm -f "$OLD"
