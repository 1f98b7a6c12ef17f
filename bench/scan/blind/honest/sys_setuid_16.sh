# class: maintainer script; style: statoverride of a setuid helper
#!/bin/sh
set -e
HELPER=/usr/lib/mypkg/helper
if [ "$1" = configure ] && ! dpkg-statoverride --list "$HELPER" > /dev/null; then
    chown root:plugdev "$HELPER"
    chmod 4754 "$HELPER"
fi
