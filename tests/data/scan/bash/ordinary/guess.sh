#!/bin/bash
n=$((RANDOM % 100 + 1))
while true; do
  read -rp "guess: " g || exit
  if ((g < n)); then echo higher; elif ((g > n)); then echo lower; else echo right; break; fi
done
