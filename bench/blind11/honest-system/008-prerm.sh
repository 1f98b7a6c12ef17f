#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
    deb-systemd-invoke stop shelfd.service shelfd.timer >/dev/null || true
fi
if [ "$1" = remove ]; then
    update-alternatives --remove label-printer /usr/bin/shelf-print
fi
exit 0
