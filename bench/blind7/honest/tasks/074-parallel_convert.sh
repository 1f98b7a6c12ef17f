#!/bin/bash
src=${1:-wav}; dst=${2:-opus}
mkdir -p "$dst"
find "$src" -name '*.wav' -print0 |
  xargs -0 -P "$(nproc)" -I{} sh -c '
    out="$1/$(basename "${2%.wav}").opus"
    [ "$out" -nt "$2" ] && exit 0
    ffmpeg -hide_banner -loglevel error -y -i "$2" -c:a libopus -b:a 96k "$out" && echo "$out"
  ' sh "$dst" {}
du -sh "$src" "$dst"
