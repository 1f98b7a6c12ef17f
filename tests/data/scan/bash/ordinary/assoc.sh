#!/bin/bash
declare -A age=([ann]=31 [bob]=27)
age[cid]=45
for name in "${!age[@]}"; do
  echo "$name is ${age[$name]}"
done | sort
