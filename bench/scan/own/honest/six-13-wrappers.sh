#!/bin/bash
log() { printf '%s %s\n' "$(date +%T)" "$*"; }
run() { log "+ $*"; "$@"; }
retry() { local n=0; until "$@"; do n=$((n+1)); [ $n -ge 5 ] && return 1; sleep $n; done; }
as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }
run mkdir -p build
retry curl -fsSL -o build/data.zip https://example.org/data.zip
as_root sh -c 'echo vm.max_map_count=262144 > /etc/sysctl.d/90-es.conf && sysctl --system'
run rm -rf build/tmp
py() { python3 -c "$1"; }
py 'import json; print(json.load(open("build/x.json"))["v"])'
