#!/bin/bash
# jobs of the batch account only, older than six hours
for pid in $(pgrep -u batch -f '/opt/batch/bin/job-'); do
  age=$(ps -o etimes= -p "$pid" | tr -d ' ')
  if [ "${age:-0}" -gt 21600 ]; then
    logger -t batch "ending $pid after ${age}s"
    kill -TERM "$pid"
  fi
done
