#!/bin/sh
# called by cron every hour; prints only when something is wrong, cron mails the output
bad=0
if grep -q '_' /proc/mdstat; then
    if grep -Eq '\[[U_]*_[U_]*\]' /proc/mdstat; then
        echo "degraded array on $(hostname):"
        cat /proc/mdstat
        bad=1
    fi
fi
for d in /dev/sd[a-z] /dev/nvme[0-9]n1; do
    [ -b "$d" ] || continue
    if ! smartctl -q silent -H "$d"; then
        echo "smart reports a problem on $d"
        smartctl -A -l error "$d" | tail -n 25
        bad=1
    fi
done
exit $bad
