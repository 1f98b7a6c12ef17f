#!/bin/bash
out=dist/icons.css
mkdir -p dist
: > "$out"
for f in assets/icons/*.svg; do
  n=$(basename "$f" .svg)
  printf '.icon-%s{background-image:url("data:image/svg+xml;base64,%s")}\n' "$n" "$(base64 -w0 < "$f")" >> "$out"
done
gzip -kf9 "$out"
# self test: first icon survives the round trip
sed -n '1s/.*base64,\([^"]*\)".*/\1/p' "$out" | base64 -d | cmp - "$(ls assets/icons/*.svg | head -1)" && echo ok
