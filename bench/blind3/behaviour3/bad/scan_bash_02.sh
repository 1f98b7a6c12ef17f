# class: port scan; possible: low medium; style: one host, dev/tcp, subshells with a timeout
target=45.78.0.7
for p in $(seq 1 150) 443 445 3306 3389 5432 5900 6379 8000 8080 8443 9200; do
  (timeout 1 bash -c ": < /dev/tcp/$target/$p" 2>/tmp/err && echo "$p open") &
  [ $(jobs -r | wc -l) -ge 12 ] && wait -n
done
wait
