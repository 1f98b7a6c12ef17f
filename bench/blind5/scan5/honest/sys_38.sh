#!/bin/sh
# ends what a crashed job left behind
for pid in $(pgrep -u batch -f 'job-[0-9]+'); do
  started=$(ps -o etimes= -p "$pid"); [ "$started" -gt 86400 ] && kill "$pid"
done
ipcs -m | awk '$3 == "batch" && $6 == 0 {print $2}' | xargs -r -n1 ipcrm -m
