# class: maintainer script; style: certificates' bundle
#!/bin/sh
set -e
CERTS=/etc/ssl/certs
TMP=$(mktemp "$CERTS/bundle.XXXXXX")
trap 'rm -f "$TMP"' EXIT
for crt in /usr/local/share/ca-certificates/*.crt; do
    [ -e "$crt" ] || continue
    ln -sf "$crt" "$CERTS/$(basename "$crt" .crt).pem"
    cat "$crt" >> "$TMP"
done
chmod 0644 "$TMP"
mv -f "$TMP" "$CERTS/bundle.crt"
openssl rehash "$CERTS" > /dev/null
