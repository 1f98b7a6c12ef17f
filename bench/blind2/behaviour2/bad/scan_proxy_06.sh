# class: port scan; possible: low medium; style: through a proxy
for i in $(seq 1 45); do
  exec 4<>/dev/tcp/proxy.ops.test/3128 || exit 1
  printf 'CONNECT 10.20.0.%s:22 HTTP/1.1\r\nHost: 10.20.0.%s\r\n\r\n' $i $i >&4
  read -r -t 3 answer <&4
  case $answer in *200*) echo "10.20.0.$i open";; esac
  exec 4>&-
done
