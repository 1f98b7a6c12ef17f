#!/bin/bash
# certificates that end soon
for c in /etc/ssl/local/*.pem; do
  end=$(openssl x509 -enddate -noout -in "$c" | cut -d= -f2)
  left=$(( ($(date -d "$end" +%s) - $(date +%s)) / 86400 ))
  [ $left -lt 21 ] && echo "$c: $left days"
done | mail -E -s certificates root
