#!/usr/bin/env bash
set -eu
bin=${1:-./target/release/server}
cargo build --release
"$bin" --port 9900 & pid=$!
trap 'kill $pid 2>/dev/null' EXIT
sleep 1
wrk -t2 -c16 -d20s http://127.0.0.1:9900/bench & w=$!
perf record -F 199 -g -p "$pid" -o perf.data -- sleep 15
wait "$w"
perf script -i perf.data | inferno-collapse-perf | inferno-flamegraph > flame.svg
ls -l flame.svg
