#!/bin/sh
DAYS=21
for h in shop.example api.shop.example mail.shop.example; do
    end=$(echo | openssl s_client -servername "$h" -connect "$h:443" 2>/dev/null |
          openssl x509 -noout -enddate | cut -d= -f2)
    [ -n "$end" ] || { echo "$h: no certificate"; continue; }
    left=$(( ($(date -d "$end" +%s) - $(date +%s)) / 86400 ))
    [ "$left" -lt $DAYS ] && echo "$h: $left days left"
done
exit 0
