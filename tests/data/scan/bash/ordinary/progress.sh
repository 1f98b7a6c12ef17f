#!/bin/bash
total=20
for ((i = 1; i <= total; i++)); do
  printf '\r[%-20s] %d%%' "$(printf '#%.0s' $(seq 1 "$i"))" $((i * 100 / total))
  sleep 0.05
done
printf '\n'
