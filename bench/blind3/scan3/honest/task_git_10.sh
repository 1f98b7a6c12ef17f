#!/bin/bash
# what changed since the last tag, as a changelog
last=$(git describe --tags --abbrev=0)
{
  echo "## $(date +%F)"
  git log --no-merges --pretty='- %s (%h, %an)' "$last"..HEAD | sort -u
} > /tmp/entry.md
cat /tmp/entry.md CHANGELOG.md > CHANGELOG.new && mv CHANGELOG.new CHANGELOG.md
git add CHANGELOG.md
git commit -m "Changelog since $last"
git push origin HEAD
