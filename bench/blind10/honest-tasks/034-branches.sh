#!/bin/sh
# delete local branches that are merged into main
main=${1:-main}
git fetch -p -q
git branch --merged "$main" --format='%(refname:short)' | grep -vxE "$main|develop|release/.*" | while read -r b; do
	git branch -d "$b"
done
git for-each-ref --format='%(refname:short) %(upstream:track)' refs/heads | awk '$2=="[gone]"{print "gone upstream:", $1}'
