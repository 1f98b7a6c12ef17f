#!/bin/bash
# weekly note to users whose home is larger than the limit
LIMIT_GB=20
for h in /home/*; do
  u=$(basename "$h")
  id "$u" >/dev/null 2>&1 || continue
  kb=$(du -sk "$h" 2>/dev/null | cut -f1)
  gb=$((kb / 1024 / 1024))
  [ "$gb" -lt "$LIMIT_GB" ] && continue
  {
    echo "Hello $u,"
    echo
    echo "your home uses $gb GB, the limit is $LIMIT_GB GB. The largest folders:"
    du -xh --max-depth=2 "$h" 2>/dev/null | sort -rh | sed -n '2,11p'
    echo
    echo "Please move what you do not need to /srv/archive."
  } | mail -s "home directory of $u" -r it@corp.example "$u@corp.example"
done
