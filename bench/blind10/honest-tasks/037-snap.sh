#!/bin/bash
# backup of my thesis to the usb disk, with hard links for old versions
SRC=~/thesis/
DST=/media/$USER/backup/thesis
NOW=$(date +%Y-%m-%d_%H%M)

if ! mountpoint -q "/media/$USER/backup"; then
  echo "please plug in the disk"
  exit 1
fi
mkdir -p "$DST"
rsync -a --delete --exclude '*.aux' --exclude '*.log' --link-dest="$DST/latest" "$SRC" "$DST/$NOW"
ln -sfn "$DST/$NOW" "$DST/latest"
# keep the last 20
ls -1d "$DST"/20* | head -n -20 | xargs -r rm -rf
du -sh "$DST"
