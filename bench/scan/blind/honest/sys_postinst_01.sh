# class: maintainer script, postinst; style: user and directories
#!/bin/sh
set -e
case "$1" in
    configure)
        if ! getent passwd mydaemon > /dev/null; then
            adduser --system --group --home /var/lib/mydaemon --no-create-home --gecos "my daemon" mydaemon
        fi
        install -d -o mydaemon -g mydaemon -m 0750 /var/lib/mydaemon /var/log/mydaemon
        chown root:mydaemon /etc/mydaemon.conf
        chmod 640 /etc/mydaemon.conf
        ;;
    abort-upgrade|abort-remove|abort-deconfigure) ;;
    *) echo "postinst called with unknown argument '$1'" >&2; exit 1 ;;
esac
exit 0
