#!/usr/bin/env bash
set -euo pipefail
bump=${1:?usage: release.sh major|minor|patch}
[ -z "$(git status --porcelain)" ] || { echo "work tree is not clean" >&2; exit 1; }
git fetch --tags -q
last=$(git describe --tags --abbrev=0 2>/dev/null || echo v0.0.0)
IFS=. read -r ma mi pa <<<"${last#v}"
case $bump in
  major) ma=$((ma + 1)) mi=0 pa=0 ;;
  minor) mi=$((mi + 1)) pa=0 ;;
  patch) pa=$((pa + 1)) ;;
  *) echo "unknown: $bump" >&2; exit 2 ;;
esac
new=v$ma.$mi.$pa
{ printf '## %s (%s)\n\n' "$new" "$(date +%F)"
  git log --no-merges --format='- %s (%h)' "$last"..HEAD 2>/dev/null || git log --format='- %s (%h)'
  echo; cat CHANGELOG.md 2>/dev/null || true; } > CHANGELOG.new
mv CHANGELOG.new CHANGELOG.md
git add CHANGELOG.md
git commit -qm "release $new"
git tag -a "$new" -m "$new"
echo "Now: git push --follow-tags origin $(git branch --show-current)"
