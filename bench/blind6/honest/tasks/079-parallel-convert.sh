#!/bin/bash
set -u
mkdir -p mp3
find . -maxdepth 1 -name '*.flac' -print0 |
  xargs -0 -P 2 -I{} sh -c 'o="mp3/$(basename "$1" .flac).mp3"; [ -f "$o" ] || ffmpeg -loglevel error -i "$1" -q:a 2 "$o"' _ {}
ls mp3 | wc -l
