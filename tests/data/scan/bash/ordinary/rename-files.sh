#!/bin/bash
shopt -s nullglob
n=1
for f in *.jpg; do
  printf -v new 'photo_%03d.jpg' "$n"
  mv -- "$f" "$new"
  n=$((n + 1))
done
