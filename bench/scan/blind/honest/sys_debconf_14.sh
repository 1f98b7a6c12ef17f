# class: maintainer script, config; style: debconf
#!/bin/sh
set -e
. /usr/share/debconf/confmodule
db_version 2.0
db_input high mypkg/admin_password || true
db_go || true
db_get mypkg/port
PORT="$RET"
if [ -e /etc/default/mypkg ]; then
    sed -i -e "s/^PORT=.*/PORT=$PORT/" /etc/default/mypkg
else
    printf 'PORT=%s\n' "$PORT" > /etc/default/mypkg
fi
db_stop
