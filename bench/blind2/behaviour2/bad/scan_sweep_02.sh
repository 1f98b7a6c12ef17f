# class: port scan; possible: low medium; style: bash, ssh and telnet on a whole network
for i in $(seq 1 60); do
  for p in 22 23; do
    (exec 3<>/dev/tcp/45.78.0.$i/$p) 2>/tmp/err && echo "45.78.0.$i:$p open"
  done
done
