for branch in $(git branch --merged main | grep -v -E '^\*|main'); do git branch -d "$branch"; done
git fetch --prune && git gc --auto
