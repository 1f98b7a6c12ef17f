# class: cron.daily; style: Debian
#!/bin/sh
set -e
[ -x /usr/bin/mandb ] || exit 0
if command -v on_ac_power >/dev/null 2>&1; then
    on_ac_power || [ $? -ne 1 ] || exit 0
fi
if [ -d /var/cache/man ]; then
    cd /
    find /var/cache/man -type f -name '*.gz' -atime +6 -print0 | xargs -r0 rm -f
fi
start-stop-daemon --start --pidfile /dev/null --startas /bin/sh --oknodo --chuid man -- -c "find /var/cache/man -name index.db | head -1 >/dev/null; exec mandb --quiet"
