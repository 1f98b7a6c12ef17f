# class: maintainer script, preinst; style: diversion
#!/bin/sh
set -e
if [ install = "$1" ] || [ upgrade = "$1" ]; then
    dpkg-divert --package mypkg --add --rename --divert /usr/bin/tool.distrib /usr/bin/tool
fi
if [ "$1" = upgrade ] && dpkg --compare-versions "$2" lt 2.0-1; then
    if [ -e /etc/mypkg.rc ]; then
        mv -f /etc/mypkg.rc /etc/mypkg.conf
    fi
fi
