#!/bin/bash
# sync the local package mirror, two stages so that clients never see half a state
set -euo pipefail
SRC=rsync://mirror.distro.example/debian/
DST=/srv/mirror/debian
LOCK=/run/lock/mirror
exec 8> "$LOCK"
flock -n 8 || { echo "already running"; exit 0; }
RS=(rsync -rtlH --safe-links --timeout=600 --stats)

"${RS[@]}" --exclude 'dists/' --exclude 'indices/' "$SRC" "$DST/"
"${RS[@]}" --delete-after --delay-updates "$SRC" "$DST/"
gpgv --keyring /usr/share/keyrings/distro-archive-keyring.gpg "$DST/dists/stable/InRelease" > /dev/null
date -u > "$DST/project/trace/$(hostname -f)"
