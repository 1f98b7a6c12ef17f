#!/bin/bash
shopt -s nullglob
for pdf in scans/*.pdf; do
  base=$(basename "$pdf" .pdf)
  pdftoppm -r 200 -png "$pdf" "/tmp/$base"
  for page in /tmp/"$base"-*.png; do
    tesseract "$page" stdout -l eng+deu 2> /tmp/ocr.err >> "text/$base.txt"
    rm "$page"
  done
  echo "$base: $(wc -w < "text/$base.txt") words"
done
