#!/bin/sh
set -e
tmp=$(mktemp)
{
  sed -n '1,/<!-- commands -->/p' README.md
  for c in bin/*; do
    printf '\n### %s\n\n```text\n' "$(basename "$c")"
    "$c" --help 2>&1 || true
    printf '```\n'
  done
  sed -n '/<!-- \/commands -->/,$p' README.md
} > "$tmp"
if cmp -s "$tmp" README.md; then echo unchanged; rm "$tmp"; else mv "$tmp" README.md; git diff --stat README.md; fi
