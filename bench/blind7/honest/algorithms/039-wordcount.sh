#!/bin/sh
# usage: wordcount.sh FILE [N]
set -eu
f=${1:--}
n=${2:-20}
cat "$f" |
  tr -cs '[:alpha:]' '\n' |
  tr '[:upper:]' '[:lower:]' |
  grep -vxE '(the|and|of|to|a|in|is|it|that)' |
  sort | uniq -c | sort -rn | head -n "$n" |
  awk '{ printf "%-20s %5d %s\n", $2, $1, substr("########################################", 1, $1 > 40 ? 40 : $1) }'
