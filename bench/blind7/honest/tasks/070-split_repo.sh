#!/bin/bash
set -e
src=$(git rev-parse --show-toplevel)
sub=${1:?subdirectory}
dst=${2:-../$(basename "$sub")}
git -C "$src" subtree split -P "$sub" -b "split-$(basename "$sub")"
git init -q "$dst"
git -C "$dst" pull -q "$src" "split-$(basename "$sub")"
git -C "$src" branch -D "split-$(basename "$sub")"
cat > "$dst/README.md" <<EOF
# $(basename "$sub")

Split from $(basename "$src") at $(git -C "$src" rev-parse --short HEAD).
EOF
git -C "$dst" add README.md
git -C "$dst" commit -qm "Add README"
git -C "$dst" log --oneline | head
