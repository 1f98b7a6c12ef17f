#!/bin/bash
# Keep the block between the markers in /etc/hosts in step with /etc/hosts.block
set -euo pipefail
LIST=/etc/hosts.block
B='# BEGIN blocklist' E='# END blocklist'
tmp=$(mktemp)
sed "/^$B\$/,/^$E\$/d" /etc/hosts > "$tmp"
{
  echo "$B"
  grep -Ev '^\s*(#|$)' "$LIST" | sort -u | sed 's/^/0.0.0.0 /'
  echo "$E"
} >> "$tmp"
if ! cmp -s "$tmp" /etc/hosts; then
  cp -p /etc/hosts /etc/hosts.bak
  cat "$tmp" > /etc/hosts
fi
rm -f "$tmp"
