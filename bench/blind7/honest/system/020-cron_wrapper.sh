#!/bin/bash
# cronrun NAME COMMAND... : run a job once at a time and mail the output if it fails
name=${1:?name}; shift
lock=/run/lock/cronrun-$name
log=$(mktemp "/tmp/cronrun-$name.XXXXXX")
trap 'rm -f "$log"' EXIT
exec 8> "$lock"
flock -n 8 || { logger -t cronrun "$name still running"; exit 0; }
start=$(date +%s)
timeout "${CRONRUN_TIMEOUT:-3600}" nice -n 10 ionice -c 3 "$@" > "$log" 2>&1
rc=$?
logger -t cronrun "$name rc=$rc $(( $(date +%s) - start ))s"
[ $rc -eq 0 ] || { echo "Command: $*"; echo "Exit: $rc"; echo; tail -n 200 "$log"; } | mail -s "[cron] $name failed on $(hostname)" "${MAILTO:-root}"
exit $rc
