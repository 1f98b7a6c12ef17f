#!/bin/bash
# usage: bulk_rename.sh DIR
dir=${1:?directory}
find "$dir" -maxdepth 1 -type f \( -iname '*.jpg' -o -iname '*.heic' \) -exec bash -c '
  for f; do
    t=$(exiftool -s3 -d %Y%m%d-%H%M%S -DateTimeOriginal "$f")
    [ -n "$t" ] || { echo "no date: $f" >&2; continue; }
    new="$(dirname "$f")/$t.${f##*.}"
    n=1
    while [ -e "$new" ] && [ "$new" != "$f" ]; do new="$(dirname "$f")/$t-$((n++)).${f##*.}"; done
    [ "$new" = "$f" ] || mv -nv "$f" "$new"
  done' _ {} +
