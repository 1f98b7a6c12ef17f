#!/bin/bash
set -euo pipefail
group=developers
want=$(ldapsearch -LLL -o ldif-wrap=no -x -H ldaps://ldap.corp.example.com -b "cn=$group,ou=groups,dc=corp,dc=example,dc=com" memberUid |
  awk '/^memberUid:/ {print $2}' | sort)
have=$(getent group "$group" | cut -d: -f4 | tr ',' '\n' | grep . | sort || true)
[ "$(wc -l <<<"$want")" -ge 3 ] || { echo "suspiciously short list, not touching" >&2; exit 1; }
comm -23 <(echo "$want") <(echo "$have") | while read -r u; do id "$u" >/dev/null 2>&1 && gpasswd -a "$u" "$group"; done
comm -13 <(echo "$want") <(echo "$have") | while read -r u; do [ -n "$u" ] && gpasswd -d "$u" "$group"; done
