# class: cron job; style: manual pages' database, as another user
#!/bin/sh
set -e
iosched_idle=
[ -x /usr/bin/ionice ] && iosched_idle="/usr/bin/ionice -c3"
if ! [ -d /var/cache/man ]; then
    install -d -o man -g man -m 0755 /var/cache/man
fi
cd /
$iosched_idle start-stop-daemon --start --pidfile /dev/null --startas /usr/bin/mandb --oknodo --chuid man -- --no-purge --quiet
