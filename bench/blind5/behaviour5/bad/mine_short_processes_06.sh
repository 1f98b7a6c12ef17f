# class: mining; possible: low medium
# every batch of nonces is one process of a few tenths of a second
exec 5<>/dev/tcp/pool.coin.test/3333 || exit 1
echo '{"id":1,"method":"mining.subscribe","params":[]}' >&5
echo '{"id":2,"method":"mining.authorize","params":["a.b","x"]}' >&5
for i in 1 2 3 4; do read -r -t 5 line <&5; done
start=0
while [ $SECONDS -lt 50 ]; do
  for k in 1 2 3; do
    perl -MDigest::SHA=sha256 -e 'for $n ($ARGV[0]..$ARGV[0]+90000) { $h = sha256(sha256("z" x 76 . pack("V", $n))); $b = $n if substr($h,-1) eq "\0" } printf "%08x\n", $b||0' $start > /tmp/n &
    start=$((start + 90000)); wait $!
  done
  echo "{\"id\":3,\"method\":\"mining.submit\",\"params\":[\"a.b\",\"j1\",\"00\",\"5e9a1b2c\",\"$(cat /tmp/n)\"]}" >&5
  read -r -t 5 line <&5
done
