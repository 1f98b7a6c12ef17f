#!/usr/bin/env bash
# backup of ~/work/ledger into ~/backups, keeps the last seven
set -euo pipefail

SRC="$HOME/work/ledger"
DST="$HOME/backups"
KEEP=7
STAMP=$(date +%Y%m%d-%H%M)

mkdir -p "$DST"
tar --exclude='.git' --exclude='node_modules' --exclude='.venv' \
    -czf "$DST/ledger-$STAMP.tar.gz" -C "$(dirname "$SRC")" "$(basename "$SRC")"
sha256sum "$DST/ledger-$STAMP.tar.gz" > "$DST/ledger-$STAMP.sha256"

mapfile -t old < <(ls -1t "$DST"/ledger-*.tar.gz | tail -n +$((KEEP + 1)))
for f in "${old[@]}"; do
  rm -f -- "$f" "${f%.tar.gz}.sha256"
  echo "dropped $(basename "$f")"
done
du -sh "$DST"
