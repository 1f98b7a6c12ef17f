#!/bin/bash
set -euo pipefail
bin=$(readlink -f ./bin/notes-server)
[ -x "$bin" ] || { echo "build first"; exit 1; }
d=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user
mkdir -p "$d"
sed "s|@BIN@|$bin|" packaging/notes-server.service.in > "$d/notes-server.service"
systemctl --user daemon-reload
systemctl --user restart notes-server
systemctl --user --no-pager status notes-server
