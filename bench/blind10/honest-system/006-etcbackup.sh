#!/bin/bash
# weekly copy of /etc, kept on the backup volume (BCP-11)
set -euo pipefail
umask 077
DEST=/backup/$(hostname -s)/etc
KEEP=8
mkdir -p "$DEST"
mountpoint -q /backup || { logger -p user.err -t etcbackup "backup volume not mounted"; exit 1; }

out=$DEST/etc-$(date +%Y%m%d).tar.zst
tar --zstd -cpf "$out.part" --exclude=/etc/ssl/private -C / etc
mv "$out.part" "$out"
dpkg --get-selections > "$DEST/packages-$(date +%Y%m%d).txt"
find "$DEST" -name 'etc-*.tar.zst' -printf '%T@ %p\n' | sort -rn | tail -n +$((KEEP + 1)) | cut -d' ' -f2- | xargs -r rm --
logger -t etcbackup "wrote $out ($(stat -c %s "$out") bytes)"
