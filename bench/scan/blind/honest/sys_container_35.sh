# class: container entry point; style: docker-entrypoint
#!/bin/bash
set -e
if [ "$1" = 'server' ] && [ "$(id -u)" = 0 ]; then
    mkdir -p "$DATADIR"
    chown -R server:server "$DATADIR"
    exec gosu server "$0" "$@"
fi
if [ -n "$PASSWORD_FILE" ]; then
    PASSWORD=$(< "$PASSWORD_FILE")
fi
if [ ! -s "$DATADIR/VERSION" ]; then
    server-init --data "$DATADIR" --password "$PASSWORD"
    for f in /docker-entrypoint-initdb.d/*.sh; do
        [ -r "$f" ] && . "$f"
    done
fi
unset PASSWORD
exec "$@"
