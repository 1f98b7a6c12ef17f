#!/usr/bin/env bash
set -euo pipefail
part=${1:-patch}
[ -z "$(git status --porcelain)" ] || { echo "commit your changes first" >&2; exit 1; }
[ "$(git branch --show-current)" = main ] || { echo "not on main" >&2; exit 1; }
git fetch -q && git merge-base --is-ancestor origin/main HEAD
npm test
v=$(npm version "$part" --no-git-tag-version)
sed -i "s/^## Unreleased/## Unreleased\n\n## $v - $(date +%F)/" CHANGELOG.md
npm pack --dry-run
read -rp "Publish $v? [y/N] " a
if [ "$a" = y ]; then
  git commit -qam "release $v" && git tag -s "$v" -m "$v"
  npm publish --access public --provenance
  git push -q --follow-tags
else
  git checkout -q -- .
fi
