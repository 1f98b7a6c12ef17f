# class: build script; style: bash with functions
#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

log() { printf '[%(%H:%M:%S)T] %s\n' -1 "$*" >&2; }

clean() {
    log "cleaning"
    rm -rf build dist
}

build() {
    log "building $1"
    mkdir -p build
    (cd build && cmake -DCMAKE_BUILD_TYPE="$1" .. && make -j"$(nproc)")
}

case ${1:-build} in
    clean) clean ;;
    build) build "${2:-Release}" ;;
    *) echo "usage: $0 clean|build [TYPE]" >&2; exit 2 ;;
esac
