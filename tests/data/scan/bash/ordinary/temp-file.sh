#!/bin/sh
tmp=$(mktemp) || exit 1
trap 'rm -f "$tmp"' EXIT INT TERM
grep -v '^#' config.ini > "$tmp"
wc -l < "$tmp"
