#!/bin/bash
# usage: cronwrap NAME COMMAND...
name=$1; shift
exec 9>"/run/lock/cron-$name.lock"
flock -n 9 || exit 0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! "$@" >"$log" 2>&1; then
  mail -s "cron $name failed on $(hostname -s)" root <"$log"
  exit 1
fi
