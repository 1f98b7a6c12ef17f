#!/usr/bin/env bash
set -euo pipefail
# usage: release.sh patch|minor|major

part=${1:?part of the version}
git diff --quiet || { echo "commit your changes first" >&2; exit 1; }
[ "$(git branch --show-current)" = main ] || { echo "not on main" >&2; exit 1; }
git pull --ff-only

IFS=. read -r a b c < VERSION
case $part in
  major) a=$((a + 1)) b=0 c=0 ;;
  minor) b=$((b + 1)) c=0 ;;
  patch) c=$((c + 1)) ;;
  *) exit 2 ;;
esac
v="$a.$b.$c"

make test
echo "$v" > VERSION
last=$(git describe --tags --abbrev=0)
{ echo "## $v ($(date +%F))"; git log --pretty='- %s' "$last"..HEAD; echo; cat CHANGELOG.md; } > .new
mv .new CHANGELOG.md
git commit -am "Release $v"
git tag -a "v$v" -m "v$v"
git push --follow-tags
