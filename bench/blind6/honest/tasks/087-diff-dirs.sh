#!/bin/bash
set -u
a=${1:?} b=${2:?}
sums() { (cd "$1" && find . -type f ! -path './.git/*' -print0 | sort -z | xargs -0 sha1sum); }
diff <(sums "$a") <(sums "$b") | awk '/^[<>]/ {print $1, $3}' | sort -k2 | uniq
rsync -rcn --delete --itemize-changes "$a/" "$b/" | head -40
