#!/bin/bash
lock=/run/lock/reindex; exec 9>"$lock"; flock -n 9 || exit 0
trap 'rm -f "$lock"' EXIT
ionice -c3 nice -n19 /usr/lib/search/reindex --all >> /var/log/reindex.log 2>&1
