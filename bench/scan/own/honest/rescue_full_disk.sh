#!/bin/bash
use=$(df --output=pcent / | tail -1 | tr -dc 0-9)
if (( use > 90 )); then
    du -xh / 2>/dev/null | sort -rh | head -20 | mail -s "$HOSTNAME: / at $use %" ops@example.com
    truncate -s 0 /var/log/app/debug.log
    rm -f /var/cache/apt/archives/*.deb
    find /var/lib/docker/containers -name '*-json.log' -size +1G -exec truncate -s 0 {} \;
fi
