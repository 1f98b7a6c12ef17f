#!/bin/bash
# host names of the lab in a marked block
set -e
tmp=$(mktemp)
sed '/^# BEGIN lab/,/^# END lab/d' /etc/hosts > "$tmp"
{
  echo "# BEGIN lab"
  for i in 1 2 3 4; do echo "10.99.0.1$i node$i.lab node$i"; done
  echo "# END lab"
} >> "$tmp"
install -m 644 "$tmp" /etc/hosts
rm -f "$tmp"
getent hosts node1.lab
