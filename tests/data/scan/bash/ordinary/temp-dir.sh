#!/bin/bash
set -euo pipefail
cleanup() {
  rm -rf "$workdir"
}
trap cleanup EXIT
workdir=$(mktemp -d)
cp input.txt "$workdir/"
sort "$workdir/input.txt" > sorted.txt
