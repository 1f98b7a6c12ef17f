#!/bin/bash
# backends.sh - the same command line, natively and in containers: Docker, Docker with runsc, Podman; beside them Docker's bare API.
#
#   bench/backends.sh [--quick] [--save]
#
#   --quick  fewer runs, a minute; otherwise three to four
#   --save   also to bench/results/<date>-backends.md
#
# As root. Starts engines of its own (tests/integration/engine), makes their image if there is none yet (apt downloads packages), and removes all.
# How to read the tables: bench/README.md.
set -eu
cd "$(dirname "$0")/.."
for word; do
    case $word in
    --quick | --save) ;;
    *) sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
export B=${B:-build}
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin # what is measured is not a long PATH
make -s all
bench/build.sh
exec /usr/bin/python3 bench/backends.py "$@"
