# class: maintainer script, prerm; style: service stop
#!/bin/sh
set -e
if [ -d /run/systemd/system ] && [ "$1" = remove ]; then
    deb-systemd-invoke stop 'mydaemon.service' >/dev/null || true
elif [ -x /etc/init.d/mydaemon ] && [ "$1" = remove ]; then
    invoke-rc.d --skip-systemd-native mydaemon stop || exit 1
fi
