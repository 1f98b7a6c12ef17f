#!/bin/sh
set -e
apt-get -qq update
n=$(apt-get -s upgrade | grep -c '^Inst' || true)
echo "$n packages can be upgraded"
[ -f /run/reboot-required ] && echo "reboot required"
exit 0
