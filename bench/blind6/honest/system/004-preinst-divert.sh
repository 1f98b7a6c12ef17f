#!/bin/sh
set -e
if [ "$1" = install ] || [ "$1" = upgrade ]; then
  dpkg-divert --package fastls --rename --divert /usr/bin/ls.distrib --add /usr/bin/lsx
  if [ -f /etc/fastls.conf ] && [ "$(md5sum /etc/fastls.conf | cut -d' ' -f1)" = d41d8cd98f00b204e9800998ecf8427e ]; then
    rm -f /etc/fastls.conf
  fi
fi
