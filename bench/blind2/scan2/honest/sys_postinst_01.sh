# class: maintainer script, postinst; style: Debian, alternatives and triggers
#!/bin/sh
set -e

case "$1" in
    configure)
        update-alternatives --install /usr/bin/pager pager /usr/bin/lesser 40 \
            --slave /usr/share/man/man1/pager.1.gz pager.1.gz /usr/share/man/man1/lesser.1.gz
        if dpkg --compare-versions "$2" lt-nl 1.2-3; then
            rm -f /etc/lesser/old.conf
            rmdir --ignore-fail-on-non-empty /etc/lesser || true
        fi
        if [ -x /usr/bin/deb-systemd-helper ]; then
            deb-systemd-helper unmask lesserd.service >/dev/null || true
            if deb-systemd-helper --quiet was-enabled lesserd.service; then
                deb-systemd-helper enable lesserd.service >/dev/null || true
            fi
        fi
    ;;
    triggered) ldconfig ;;
    abort-upgrade|abort-remove|abort-deconfigure) ;;
    *) echo "postinst called with unknown argument \`$1'" >&2; exit 1 ;;
esac

#DEBHELPER#
exit 0
