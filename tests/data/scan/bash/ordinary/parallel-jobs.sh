#!/bin/bash
pids=()
for f in part1 part2 part3; do
  sort "$f.txt" > "$f.sorted" &
  pids+=($!)
done
for p in "${pids[@]}"; do wait "$p" || echo "job $p failed"; done
sort -m part*.sorted > all.sorted
