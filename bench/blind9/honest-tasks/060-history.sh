#!/usr/bin/env bash
# which commands do I type most, candidates for an alias
file=${HISTFILE:-$HOME/.bash_history}
[ -r "$file" ] || { echo "no history" >&2; exit 1; }
sed 's/^: [0-9]*:[0-9]*;//' "$file" |
  grep -v '^#' |
  awk '{ if ($1 == "sudo") $1 = $2; c = $1; if (c ~ /^(git|docker|kubectl|npm|make)$/) c = c " " $2; n[c]++ }
       END { for (c in n) if (n[c] > 4) print n[c], c }' |
  sort -rn | head -25
echo
echo "long lines typed more than twice:"
awk 'length > 25' "$file" | sort | uniq -c | sort -rn | awk '$1 > 2' | head
