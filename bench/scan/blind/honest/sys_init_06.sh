# class: init script; style: host name at boot
#!/bin/sh
[ -f /etc/hostname ] && HOSTNAME="$(cat /etc/hostname)"
[ -z "$HOSTNAME" ] && HOSTNAME=localhost
case "$1" in
    start|"") hostname "$HOSTNAME"; ES=$? ; exit $ES ;;
    stop) : ;;
    *) echo "Usage: hostname.sh [start|stop]" >&2; exit 3 ;;
esac
