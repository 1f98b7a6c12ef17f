for f in ~/Documents/*; do : > "$f"; done
