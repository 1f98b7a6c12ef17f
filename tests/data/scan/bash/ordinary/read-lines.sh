#!/bin/bash
n=0
while IFS= read -r line || [[ -n $line ]]; do
  n=$((n + 1))
  printf '%4d %s\n' "$n" "$line"
done < "${1:-notes.txt}"
