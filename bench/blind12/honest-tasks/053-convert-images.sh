#!/bin/bash
shopt -s nullglob
mkdir -p webp
for f in images/*.{png,jpg}; do
  out="webp/$(basename "${f%.*}").webp"
  [ "$out" -nt "$f" ] || convert "$f" -quality 80 -resize '1600x>' "$out"
done
ls webp | wc -l
