#!/bin/bash
# cron.weekly: look at arrays and SMART state
status=0
if grep -q '\[.*_.*\]' /proc/mdstat; then
    echo "degraded array:"; cat /proc/mdstat; status=1
fi
for d in /dev/sd[a-z]; do
    [ -b "$d" ] || continue
    if ! smartctl -H "$d" | grep -q PASSED; then
        echo "SMART problem on $d"; smartctl -A "$d" | head -40; status=1
    fi
done
exit $status
