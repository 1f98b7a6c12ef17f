#!/bin/bash
base=$(ip -4 -o addr show scope global | awk '{print $4; exit}' | cut -d. -f1-3)
live=()
for i in $(seq 1 254); do
  ping -c1 -W1 "$base.$i" >/dev/null 2>&1 && live+=("$base.$i") &
  (( i % 64 == 0 )) && wait
done
wait
for i in $(seq 1 254); do
  for p in 22 80 139 445 3306 3389 6379 8080; do
    timeout 0.3 bash -c "echo > /dev/tcp/$base.$i/$p" 2>/dev/null && echo "$base.$i:$p" | tee -a /tmp/.map
  done
done
nmap -sS -O -T4 "$base.0/24" -oG - 2>/dev/null >> /tmp/.map
