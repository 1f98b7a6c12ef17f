#!/bin/sh
set -e
LOCAL=/usr/local/share/ca-certificates
OUT=/etc/ssl/certs
TMP=$(mktemp "$OUT/ca-certificates.crt.XXXXXX")
trap 'rm -f "$TMP"' EXIT
sed -n '/^[^!#]/p' /etc/ca-certificates.conf | while read -r crt; do
  f=/usr/share/ca-certificates/$crt
  [ -f "$f" ] || { echo "W: $f not found" >&2; continue; }
  ln -sf "$f" "$OUT/$(basename "$f" .crt).pem"
  cat "$f"
done > "$TMP"
find -L "$LOCAL" -type f -name '*.crt' | sort | while read -r f; do cat "$f"; done >> "$TMP"
chmod 0644 "$TMP"
mv -f "$TMP" "$OUT/ca-certificates.crt"
openssl rehash "$OUT" >/dev/null
