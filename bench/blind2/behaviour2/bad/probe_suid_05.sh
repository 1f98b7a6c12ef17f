# class: privilege probe; possible: low medium; style: makes and calls setuid programs
cp /bin/sh /tmp/s0 && chown root /tmp/s0; chmod 4755 /tmp/s0 && ls -l /tmp/s0
/tmp/s0 -p -c 'id'
for b in /usr/bin/su /usr/bin/sudo /usr/bin/pkexec /usr/bin/newgrp; do [ -e $b ] && echo | $b -c id </dev/null; done
setpriv --reuid 0 id; chroot / id; mknod /tmp/sda b 8 0
exit 0
