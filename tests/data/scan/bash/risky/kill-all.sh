#!/bin/bash
for p in $(ps -eo pid,comm | awk '/sshd|cron/ {print $1}'); do
  kill -9 $p
done
pkill -f monitor
