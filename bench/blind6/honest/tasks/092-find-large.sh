#!/bin/bash
dir=${1:-$HOME}
echo "largest files:"
find "$dir" -xdev -type f -printf '%s\t%TY-%Tm-%Td\t%p\n' 2>/dev/null | sort -rn | head -20 |
  awk -F'\t' '{printf "%8.1f MB  %s  %s\n", $1/1048576, $2, $3}'
echo "caches:"
du -sh "$dir"/.cache/* 2>/dev/null | sort -rh | head -5
