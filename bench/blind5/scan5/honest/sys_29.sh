#!/bin/bash
# who may log in, and with which shells
awk -F: '$3 >= 1000 && $7 !~ /nologin|false/ {print $1, $6, $7}' /etc/passwd
lastlog -b 90 | tail -n +2 | awk '{print $1}' | while read -r u; do echo "idle for 90 days: $u"; done
