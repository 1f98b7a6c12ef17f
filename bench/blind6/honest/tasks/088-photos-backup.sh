#!/bin/bash
set -euo pipefail
src=$HOME/Pictures
dst=/media/$USER/backup/Pictures
mountpoint -q "/media/$USER/backup" || { echo "disk not mounted" >&2; exit 1; }
rsync -a --info=progress2 --backup --backup-dir="../old/$(date +%F)" "$src/" "$dst/"
rsync -ancv "$src/" "$dst/" | tail -3
df -h "$dst"
