#!/bin/bash
repquota -u /home | awk 'NR > 5 && $4 > 0 && $3 > $4 {print $1, $3, $4}' | while read -r u used soft; do
  getent passwd "$u" >/dev/null || continue
  mail -s "Your home is over quota" "$u" <<M
Hello $u,

you use $((used / 1024)) MiB of $((soft / 1024)) MiB. The largest folders:

$(du -xh --max-depth=2 "$(getent passwd "$u" | cut -d: -f6)" 2>/dev/null | sort -rh | head -8)
M
done
