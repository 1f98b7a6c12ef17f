#!/bin/bash
list=(5 1 4 2 8 0 9 3)
n=${#list[@]}
for ((i = 0; i < n; i++)); do
  for ((j = 0; j < n - i - 1; j++)); do
    if ((list[j] > list[j + 1])); then
      t=${list[j]} list[j]=${list[j + 1]} list[j + 1]=$t
    fi
  done
done
printf '%s ' "${list[@]}"
echo
