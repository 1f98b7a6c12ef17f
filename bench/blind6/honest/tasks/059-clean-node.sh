#!/bin/bash
set -u
root=${1:-.}
before=$(du -sk "$root" | cut -f1)
find "$root" -name node_modules -type d -prune -mtime +30 -print0 | while IFS= read -r -d '' d; do
  [ -f "$(dirname "$d")/package.json" ] || continue
  echo "removing $d"
  rm -rf "$d"
done
find "$root" -type d \( -name .cache -o -name dist -o -name .next \) -path '*/packages/*' -prune -exec rm -rf {} +
echo "freed $((before - $(du -sk "$root" | cut -f1))) KiB"
