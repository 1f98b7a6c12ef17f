# class: container; style: entry point that drops root
#!/bin/sh
set -e
if [ "$1" = 'redis-server' ] && [ "$(id -u)" = '0' ]; then
    find . \! -user redis -exec chown redis '{}' +
    exec setpriv --reuid=redis --regid=redis --clear-groups -- "$0" "$@"
fi
um="$(umask)"
[ "$um" = '0022' ] && umask 0077
for f in /docker-entrypoint.d/*.sh; do [ -x "$f" ] && . "$f"; done
file_env() {
    var=$1; eval "file=\${${var}_FILE:-}"
    [ -n "$file" ] && export "$var=$(cat "$file")"
}
file_env REDIS_PASSWORD
exec "$@"
