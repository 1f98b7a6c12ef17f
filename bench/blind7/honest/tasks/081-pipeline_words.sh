#!/usr/bin/env bash
set -o pipefail
curl -fsS "https://www.gutenberg.org/cache/epub/1342/pg1342.txt" |
  sed -n '/START OF/,/END OF/p' |
  python3 -c '
import sys, re, json, collections
c = collections.Counter(re.findall(r"[a-z]+", sys.stdin.read().lower()))
json.dump([{"word": w, "n": n} for w, n in c.most_common(500)], sys.stdout)
' |
  jq -r '.[] | select(.word | length > 5) | "\(.n)\t\(.word)"' | head -25
